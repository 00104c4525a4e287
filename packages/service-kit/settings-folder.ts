import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings that name a file: found in the folder they are that file, which is read again when it changes. */
const fileSettings = [
  'SESSION_KEYS',
  'SESSION_PUBLIC_KEYS',
  'TOKEN_KEYS',
  'FACTOR_KEYS',
  'CHANNEL_KEYS',
  'CERTIFICATE_KEYS',
  'EDGE_CA_FILE',
  'EDGE_CA_KEY_FILE',
  'EDGE_TLS_CERT',
  'EDGE_TLS_KEY',
];

/** Whether a setting's value is a file rather than what stands in it. */
export const isFileSetting = (name: string) => fileSettings.includes(name);

/**
 * The environment, with what it lacks from the folder that SETTINGS_FOLDER names: a file for each setting, as a
 * mounted Secret has them. Empty values count as missing.
 * @throws Error naming the file that cannot be read
 */
export function withSettingsFolder(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const folder = environment.SETTINGS_FOLDER;
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  return folder ? { ...settingsIn(folder), ...given } : given;
}

function settingsIn(folder: string): Record<string, string> {
  const names = read(folder, (path) => readdirSync(path)).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
  const entries = names.map((name): [string, string] => {
    const file = join(folder, name);
    const text = read(file, (path) => readFileSync(path, 'utf8')).trim();
    return [name, isFileSetting(name) && text ? file : text];
  });
  return Object.fromEntries(entries.filter(([, value]) => value));
}

function read<T>(path: string, by: (path: string) => T): T {
  try {
    return by(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new Error(`SETTINGS_FOLDER: ${path} cannot be read (${code})`, { cause });
  }
}
