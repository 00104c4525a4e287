import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '@talpa/instance/cli';
import { z } from 'zod';

/** The files of a backup's folder. */
export function backupFiles(folder: string) {
  return {
    manifest: join(folder, 'manifest.json'),
    database: join(folder, 'database.dump'),
    /** The key rings under a passphrase; only where they were asked for. */
    keys: join(folder, 'keys.sealed'),
  };
}

const manifestSchema = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Names the tunnels at the provider: a restored instance goes on as the same installation. */
  installationId: z.string(),
  /** The keys that the stored tunnel tokens need, by name. */
  tokenKeys: z.array(z.string()),
  /** The same for the secrets of authenticator apps. Backups of earlier versions have none. */
  factorKeys: z.array(z.string()).default([]),
  /** The same for the secrets of notification channels. */
  channelKeys: z.array(z.string()).default([]),
  /** The same for the private keys of certificates. */
  certificateKeys: z.array(z.string()).default([]),
});
export type Manifest = z.infer<typeof manifestSchema>;

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @throws CliError when the folder holds no backup this version can read */
export function readManifest(folder: string): Manifest {
  const { manifest } = backupFiles(folder);
  if (!existsSync(manifest)) throw new CliError(`There is no backup in ${folder}.`);
  const read = manifestSchema.safeParse(jsonIn(manifest));
  if (!read.success) throw new CliError(`This version cannot read the backup in ${folder}.`);
  return read.data;
}
