import { CliError } from '@talpa/instance/cli';

const shortest = 12;

/** The passphrase that protects a backup's keys. @throws CliError when there is none, or a short one */
export function passphrase(environment: NodeJS.ProcessEnv = process.env): string {
  const given = environment.TALPA_BACKUP_PASSPHRASE ?? '';
  if (given.length < shortest)
    throw new CliError(
      `Set TALPA_BACKUP_PASSPHRASE to a passphrase of at least ${shortest} characters. It encrypts the keys in the backup.`,
    );
  return given;
}
