import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFileSetting } from '@talpa/service-kit/settings-folder';
import { CliError } from './cli.ts';

/**
 * The folder below which each container's own folder lies (SECRETS_OUT): a volume each, so that nobody sees what
 * another is given.
 * @throws CliError where there is none
 */
export function handOutFolder(environment: NodeJS.ProcessEnv): string {
  const folder = environment.SECRETS_OUT;
  if (!folder) throw new CliError('SECRETS_OUT is not set. This command is for containers only.');
  return folder;
}

/** Writes a file as one, where its content is another one; `mode` says who may read it. */
export function handOutFile(file: string, content: string, mode = 0o400): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  writeFileSync(`${file}.new`, content, { mode, flush: true });
  renameSync(`${file}.new`, file);
}

/** Makes a folder hold exactly these settings, a file each; of those that name a file, that file's content. */
export function handOutSettings(folder: string, settings: Readonly<Record<string, string>>): void {
  for (const name of readdirSync(folder))
    if (/^[A-Z][A-Z0-9_]*$/.test(name) && !(name in settings)) rmSync(join(folder, name));
  for (const [name, value] of Object.entries(settings))
    handOutFile(join(folder, name), contentOf(name, value));
}

const contentOf = (name: string, value: string) =>
  isFileSetting(name) && value.startsWith('/') ? readFileSync(value, 'utf8') : `${value}\n`;

/**
 * Gives a setting's file to those who have it already: after a key was rotated. Nothing where there are no
 * containers.
 */
export function handOutAgain(setting: string, file: string, environment = process.env): void {
  const { SECRETS_OUT: base } = environment;
  if (!base) return;
  const receivers = readdirSync(base).map((name) => join(base, name, setting));
  for (const receiver of receivers.filter((path) => existsSync(path)))
    handOutFile(receiver, readFileSync(file, 'utf8'));
}
