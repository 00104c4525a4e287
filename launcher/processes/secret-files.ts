import { join } from 'node:path';
import { handOutSettings } from '@talpa/instance/containers';
import { makeFolder } from '@talpa/instance/make-folder';
import type { HomeFolders } from '@talpa/instance/paths';
import { isSecret } from '@talpa/service-kit/settings';

/**
 * Takes the secrets out of a process's environment, which anything the process starts inherits and any tool that lists
 * processes may show, and gives them to it as files, as in containers; those of one of several services in a process in a folder
 * of its own (`settingsOf`). The path of a file is no secret.
 */
export function secretsAsFiles(
  { settings }: HomeFolders,
  name: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const folder = join(settings, name);
  makeFolder(settings, 0o700);
  const byService = Map.groupBy(Object.entries(env), ([key]) => parted(key).service);
  const others = [...new Set(['', ...byService.keys()])].flatMap((service) => {
    const entries = byService.get(service) ?? [];
    const secrets = entries.filter(isValueOfSecret);
    const own = join(folder, service);
    makeFolder(own, 0o700);
    handOutSettings(
      own,
      Object.fromEntries(secrets.map(([key, value = '']) => [parted(key).setting, value])),
    );
    return entries.filter((one) => !secrets.includes(one));
  });
  return { ...Object.fromEntries(others), SETTINGS_FOLDER: folder };
}

/** The parts of a name that `settingIn` made; of any other one the service is ''. */
function parted(key: string) {
  const at = key.indexOf('/');
  return { service: key.slice(0, Math.max(0, at)), setting: key.slice(at + 1) };
}

const isValueOfSecret = ([key, value = '']: [string, string | undefined]) =>
  isSecret(parted(key).setting) && value !== '' && !value.startsWith('/');
