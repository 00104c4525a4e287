import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { purgeStreams } from '@talpa/service-kit/bus/setup';
import { ensureSchemas } from '@talpa/service-kit/database/setup';
import type { Sql } from '@talpa/service-kit/database/sql';
import { CliError } from '../../launcher/cli.ts';
import { startCall, talpaCall } from '../../launcher/command-names.ts';
import { readRing } from '../../launcher/keys.ts';
import { keyFiles, setInstallationId } from '../../launcher/secrets.ts';
import { schemaSetups, schemas } from '../../launcher/stores/schemas.ts';
import { asAdmin, checkDump, restoreDatabase, withDatabase } from '../backup/database.ts';
import { backupFiles, type Manifest, readManifest } from '../backup/manifest.ts';
import { passphrase } from '../backup/passphrase.ts';
import { openFiles } from '../backup/sealed-keys.ts';
import type { Instance } from '../instance.ts';
import { command } from './command.ts';

/** Makes a stopped instance what it was at a backup. All users sign in again: what was ended stays ended. */
export const restore = command({
  usage: 'restore <folder>',
  summary: 'restore this stopped instance from a backup',
  options: { replace: { type: 'boolean', what: 'overwrite the data it holds now' } },
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
        await sql`delete from auth.sessions`;
        // The provider may know more than this database does now.
        await sql`update tunnel_worker.resync set held_back_at = now()`;
        // What was on its way at the backup is lost: everything is published and counted again.
        for (const service of ['auth', 'billing', 'proxies', 'stats'])
          await sql`delete from ${sql(service)}.stream_seen`;
        // Emails of before may have been sent since the backup: none is sent again unasked.
        await holdEmails(sql);
        await holdDeliveries(sql);
        await voidLinks(sql);
        await expireApiKeys(sql);
        await sql`update stats.totals_state set known = false, alive_at = null`;
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
    log('Emails that waited to be sent are held back. Administrators send them in the panel.');
    log('Notifications that waited for channels are held back. Users send them in their settings.');
    log(
      'Links and invitations of before no longer work. Administrators create new invitations in the panel.',
    );
    log('Proxies have the members of the backup. Owners remove those whom they had removed since.');
    log('API keys of before have expired. Users create new ones in their settings.');
  },
});

/** Also those that are ordered by messages of before. A backup of an earlier version has no emails. */
async function holdEmails(sql: Sql): Promise<void> {
  const [{ known } = { known: null }] = await sql`select to_regclass('notifications.mails')::text as known`;
  if (!known) return;
  await sql`insert into notifications.restored (at) values (now())`;
  await sql`
    update notifications.mails set state = 'held', state_at = now(), due_at = null, holder = null
    where due_at is not null`;
}

/** They may have been delivered since the backup. A backup of an earlier version has none. */
async function holdDeliveries(sql: Sql): Promise<void> {
  const [{ known } = { known: null }] =
    await sql`select to_regclass('notifications.deliveries')::text as known`;
  if (!known) return;
  await sql`
    update notifications.deliveries set state = 'held', state_at = now(), due_at = null, holder = null
    where due_at is not null`;
}

/**
 * What was open at the backup may have been used since, or cannot be undone any more. A held email gets a new link when it is
 * sent. A backup of an earlier version has none of it.
 */
async function voidLinks(sql: Sql): Promise<void> {
  const [{ known } = { known: null }] = await sql`select to_regclass('auth.invitations')::text as known`;
  if (!known) return;
  await sql`
    update auth.one_time_tokens set hashes = '{}' where used_at is null and voided_at is null`;
  await sql`
    update auth.invitations set revoked_at = now() where revoked_at is null and used_up_at is null`;
  await sql`delete from auth.reset_requests`;
  await voidProxyInvitations(sql);
}

/** A backup of an earlier version has none. */
async function voidProxyInvitations(sql: Sql): Promise<void> {
  const [{ known } = { known: null }] = await sql`select to_regclass('proxies.members')::text as known`;
  if (known) await sql`delete from proxies.members where joined_at is null`;
}

/** One that was revoked since the backup would work again. Users see which they had. A backup of an earlier version has none. */
async function expireApiKeys(sql: Sql): Promise<void> {
  const [{ known } = { known: null }] = await sql`select to_regclass('auth.api_keys')::text as known`;
  if (!known) return;
  await sql`update auth.api_keys set expires_at = now() where expires_at is null or expires_at > now()`;
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
