import { join } from 'node:path';
import { isSecret } from '@talpa/service-kit/settings';
import { handOutSettings } from './containers.ts';
import { makeFolder } from './make-folder.ts';
import type { HomeFolders } from './paths.ts';

/**
 * Takes the secrets out of a process's environment, which anything the process starts inherits and any tool that lists
 * processes may show, and gives them to it as files, as in containers. The path of a file is no secret.
 */
export function secretsAsFiles(
  { settings }: HomeFolders,
  name: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const isValue = ([setting, value = '']: [string, string | undefined]) =>
    isSecret(setting) && value !== '' && !value.startsWith('/');
  const entries = Object.entries(env);
  const folder = join(settings, name);
  makeFolder(settings, 0o700);
  makeFolder(folder, 0o700);
  handOutSettings(folder, Object.fromEntries(entries.filter(isValue)) as Record<string, string>);
  return { ...Object.fromEntries(entries.filter((one) => !isValue(one))), SETTINGS_FOLDER: folder };
}
