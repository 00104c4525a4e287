import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import { startCall, talpaCall } from '@talpa/instance/command-names';
import { readRing } from '@talpa/instance/keys';
import { keyFiles, setInstallationId } from '@talpa/instance/secrets';
import { purgeStreams } from '@talpa/service-kit/bus/setup';
import { ensureSchemas } from '@talpa/service-kit/database/setup';
import type { Sql } from '@talpa/service-kit/database/sql';
import { schemaSetups, schemas } from '../../launcher/stores/schemas.ts';
import { endAtRestore } from '../backup/after-restore.ts';
import { asAdmin, checkDump, restoreDatabase, withDatabase } from '../backup/database.ts';
import { backupFiles, type Manifest, readManifest } from '../backup/manifest.ts';
import { passphrase } from '../backup/passphrase.ts';
import { openFiles } from '../backup/sealed-keys.ts';
import type { Instance } from '../instance.ts';
import { command } from './command.ts';

/** Makes a stopped instance what it was at a backup, but for what opens doors (`backup/after-restore.ts`). */
export const restore = command({
  usage: 'restore <folder>',
  summary: 'restore this stopped instance from a backup',
  options: { replace: { type: 'boolean', what: 'overwrite the data it holds now' } },
  makesInstance: true,
  run: async ({ words: [word = ''], options, instance, log }) => {
    const folder = resolve(word);
    const files = backupFiles(folder);
    const manifest = readManifest(folder);
    if (instance.isRunning()) throw new CliError('Talpa is running. Stop it first.');
    refuseOtherName(manifest.installationId);
    const keys = existsSync(files.keys) ? openFiles(readFileSync(files.keys), passphrase()) : null;
    refuseMissingKeys(instance, manifest, keys);
    // Before anything is given up for it.
    await checkDump(files.database, log);
    const { secrets: secretsFolder } = instance.folders;
    const { installationId } = instance.secrets();
    const notices: string[] = [];
    await withDatabase(instance, log, async (url) => {
      await ensureSchemas(url, schemaSetups(instance.secrets()));
      await asAdmin(url, async (sql) => {
        const busy = await sql`
          select 1 from pg_stat_activity where usename like any(${schemas.map(({ schema }) => `${schema}_app`)})`;
        if (busy.length > 0) throw new CliError('Services are connected to this database. Stop them first.');
        const [{ known } = { known: null }] = await sql`select to_regclass('auth.users')::text as known`;
        const used = known ? await sql`select 1 from auth.users limit 1` : [];
        if (used.length > 0 && !options.replace)
          throw new CliError('This instance has users. Use --replace to overwrite all of its data.');
        for (const { schema } of schemas) await sql.unsafe(`drop schema ${schema} cascade`);
      });
      setInstallationId(secretsFolder, manifest.installationId);
      await restoreDatabase(url, files.database, log);
      await asAdmin(url, async (sql) => {
        await recordRestore(sql);
        notices.push(...(await endAtRestore(sql)));
      });
    }).catch((error) => {
      setInstallationId(secretsFolder, installationId);
      throw error;
    });
    if (keys)
      for (const [name, path] of keyFiles(instance.secrets()))
        if (keys[name]) writeFileSync(path, keys[name], { mode: 0o600, flush: true });
    // What the streams hold belongs to another state.
    if (process.env.NATS_URL) await purgeStreams(process.env.NATS_URL);
    else rmSync(join(instance.folders.nats, 'jetstream'), { recursive: true, force: true });
    log(`The backup from ${manifest.createdAt} has been restored. Start the instance with ${startCall}.`);
    log(`Tunnels created since then are kept until you have reviewed them: ${talpaCall} resync --dry-run`);
    for (const line of notices) log(line);
  },
});

/** Emails that are ordered by messages of before are held, too. A backup of an earlier version has none. */
async function recordRestore(sql: Sql): Promise<void> {
  const [{ known } = { known: null }] =
    await sql`select to_regclass('notifications.restored')::text as known`;
  if (known) await sql`insert into notifications.restored (at) values (now())`;
}

/** Found out later, at the next look at the secrets, it would leave the restore half done. */
function refuseOtherName(installationId: string): void {
  const given = process.env.INSTALLATION_ID;
  if (given && given !== installationId)
    throw new CliError(
      `INSTALLATION_ID is “${given}”, but the backup is from the installation “${installationId}”. Leave INSTALLATION_ID out: ` +
        'a restored instance keeps the name in the backup.',
    );
}

function refuseMissingKeys(
  { secrets }: Instance,
  needed: Pick<Manifest, 'tokenKeys' | 'factorKeys' | 'channelKeys' | 'certificateKeys'>,
  given: Readonly<Record<string, string>> | null,
): void {
  if (given) return;
  const { tokenKeys, factorKeys, channelKeys, certificateKeys } = secrets();
  const rings = [
    { what: 'tunnel tokens', ids: needed.tokenKeys, setting: 'TOKEN_KEYS', path: tokenKeys },
    { what: 'authenticator apps', ids: needed.factorKeys, setting: 'FACTOR_KEYS', path: factorKeys },
    { what: 'notification channels', ids: needed.channelKeys, setting: 'CHANNEL_KEYS', path: channelKeys },
    { what: 'certificates', ids: needed.certificateKeys, setting: 'CERTIFICATE_KEYS', path: certificateKeys },
  ];
  for (const { what, ids, setting, path } of rings) {
    const known = readRing(process.env[setting] ?? path).map(({ id }) => id);
    const missing = ids.filter((id) => !known.includes(id));
    if (missing.length > 0)
      throw new CliError(
        `The backup does not include the keys, and its ${what} need the key ${missing.join(', ')}. Put the matching file “${basename(path)}” at ${path}.`,
      );
  }
}
