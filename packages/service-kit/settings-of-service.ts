import { join } from 'node:path';

/** A setting for one of the services that share a process, as the environment names it: `auth/DATABASE_URL`. */
export const settingIn = (service: string, setting: string): string => `${service}/${setting}`;

/**
 * The environment of one of the services that share a process: what is for all and what is its own, nothing of another one's.
 * Its SETTINGS_FOLDER is the folder of its name in that of the process.
 */
export function settingsOf(service: string, environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { SETTINGS_FOLDER: folder } = environment;
  const all = Object.entries(environment);
  const prefix = settingIn(service, '');
  return Object.fromEntries([
    ...all.filter(([name]) => !name.includes('/')),
    ...(folder ? [['SETTINGS_FOLDER', join(folder, service)] as const] : []),
    ...all.flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
    ),
  ]);
}
