import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import { makeFolder } from '@talpa/instance/make-folder';
import { keyFiles } from '@talpa/instance/secrets';
import type { Sql } from '@talpa/service-kit/database/sql';
import { asAdmin, dumpDatabase, withDatabase } from '../backup/database.ts';
import { backupFiles, type Manifest } from '../backup/manifest.ts';
import { passphrase } from '../backup/passphrase.ts';
import { sealFiles } from '../backup/sealed-keys.ts';
import { command } from './command.ts';

/** Writes all that cannot be made again into a folder: every schema, and the keys when they are asked for. */
export const backup = command({
  usage: 'backup <folder>',
  summary: 'back up the database to a new folder',
  options: { keys: { type: 'boolean', what: 'include the keys, encrypted with TALPA_BACKUP_PASSPHRASE' } },
  run: async ({ words: [word = ''], options, instance, log }) => {
    const folder = resolve(word);
    if (existsSync(folder))
      throw new CliError(`${folder} already exists. Choose a new folder for the backup.`);
    const secret = options.keys ? passphrase() : null;
    const draft = `${folder}.new`;
    rmSync(draft, { recursive: true, force: true });
    makeFolder(draft, 0o700);
    const files = backupFiles(draft);
    const secrets = instance.secrets();
    await withDatabase(instance, log, async (url) => {
      // Before and after: a rotation may be under way.
      const before = await keysInUse(url);
      await dumpDatabase(url, files.database, log);
      const after = await keysInUse(url);
      const both = (ring: keyof typeof before) => [...new Set([...before[ring], ...after[ring]])];
      chmodSync(files.database, 0o600);
      const manifest: Manifest = {
        format: 1,
        createdAt: new Date().toISOString(),
        installationId: secrets.installationId,
        tokenKeys: both('tokenKeys'),
        factorKeys: both('factorKeys'),
        channelKeys: both('channelKeys'),
        certificateKeys: both('certificateKeys'),
      };
      writeFileSync(files.manifest, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
      if (secret) {
        // The edge's authority is there when it has been started once.
        const there = keyFiles(secrets).filter(([, path]) => existsSync(path));
        const contents = there.map(([name, path]) => [name, readFileSync(path, 'utf8')]);
        writeFileSync(files.keys, sealFiles(Object.fromEntries(contents), secret), { mode: 0o600 });
      }
      renameSync(draft, folder);
      await asAdmin(url, (sql) => recordBackup(sql, manifest));
    });
    log(`The backup is in ${folder}.`);
    const { sessionKeys, tokenKeys, factorKeys, channelKeys, certificateKeys } = secrets;
    if (!secret)
      log(
        `It does not include the keys. Keep ${sessionKeys}, ${tokenKeys}, ${factorKeys}, ${channelKeys}, and ${certificateKeys} safe, or use --keys.`,
      );
  },
});

/** Lets the panel know; a database that this version has not migrated yet has no place for it. */
async function recordBackup(sql: Sql, { createdAt }: Manifest): Promise<void> {
  const [place] = await sql<{ there: boolean }[]>`select to_regclass('stats.backups') is not null as there`;
  if (place?.there) await sql`insert into stats.backups (made_at) values (${createdAt})`;
}

/** The keys with which something is encrypted, by name. */
function keysInUse(
  url: string,
): Promise<Pick<Manifest, 'tokenKeys' | 'factorKeys' | 'channelKeys' | 'certificateKeys'>> {
  return asAdmin(url, async (sql) => {
    const namesIn = async (...tables: string[]) => {
      const found = new Set<string>();
      for (const table of tables) {
        const rows = await sql<{ keyId: string }[]>`
          select distinct key_id from ${sql(table)} where key_id is not null`;
        for (const { keyId } of rows) found.add(keyId);
      }
      return [...found].sort();
    };
    return {
      tokenKeys: await namesIn('tunnel_provider.tunnels', 'tunnel_provider.acme_accounts'),
      factorKeys: await namesIn('auth.authenticators'),
      channelKeys: await namesIn('notifications.channels'),
      certificateKeys: await namesIn('tunnel_provider.certificates'),
    };
  });
}
