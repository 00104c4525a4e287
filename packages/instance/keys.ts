import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { publicHalf } from '@talpa/service-kit/session/keys';

/** One key of a ring as it stands in its file. */
export interface KeyEntry {
  /** Names when it was made: `20261121T080000Z-1f2e3d4c`. */
  readonly id: string;
  readonly secret: string;
}

/** A new key. */
export function makeKey(now = new Date()): KeyEntry {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return { id: `${time}-${randomBytes(4).toString('hex')}`, secret: randomBytes(32).toString('base64url') };
}

/** When a key was made, as far as its id shows. */
export function bornAt({ id }: KeyEntry): Date | null {
  const [, year, month, day, hour, minute, second] =
    id.match(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/) ?? [];
  return year ? new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) : null;
}

/** A ring as its file and its setting hold it. */
export const ringText = (keys: readonly KeyEntry[]) =>
  keys.map(({ id, secret }) => `${id}:${secret}`).join(',');

/** The ring of the public halves, for those who verify. */
export const publicRing = (keys: readonly KeyEntry[]): KeyEntry[] =>
  keys.map(({ id, secret }) => ({ id, secret: publicHalf(secret) }));

/** Reads a ring's file, the key in use first. */
export const readRing = (path: string): KeyEntry[] => ringOf(readFileSync(path, 'utf8'));

/** The keys of a ring's text, the one in use first. */
export function ringOf(text: string): KeyEntry[] {
  return text
    .trim()
    .split(',')
    .map((part) => {
      const [id = '', secret = ''] = part.split(':');
      return { id, secret };
    });
}

/** Replaces a ring's file as one, where its keys are others; processes that have it open take it up by themselves. */
export function writeRing(path: string, keys: readonly KeyEntry[]): void {
  const text = `${ringText(keys)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
