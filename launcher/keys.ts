import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** One key of a ring as it stands in its file. */
export interface KeyEntry {
  /** Tells when it was made: `20261121T080000Z-1f2e3d4c`. */
  readonly id: string;
  readonly secret: string;
}

/** A new key. */
export function makeKey(now = new Date()): KeyEntry {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return { id: `${time}-${randomBytes(4).toString('hex')}`, secret: randomBytes(32).toString('base64url') };
}

/** When a key was made, as far as its id tells. */
export function bornAt({ id }: KeyEntry): Date | null {
  const [, year, month, day, hour, minute, second] =
    id.match(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-/) ?? [];
  return year ? new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) : null;
}

/** A ring as its file and its setting hold it. */
export const ringText = (keys: readonly KeyEntry[]) =>
  keys.map(({ id, secret }) => `${id}:${secret}`).join(',');

/** Reads a ring's file, the key in use first. */
export function readRing(path: string): KeyEntry[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split(',')
    .map((part) => {
      const [id = '', secret = ''] = part.split(':');
      return { id, secret };
    });
}

/** Replaces a ring's file as one; processes that have it open take it up by themselves. */
export function writeRing(path: string, keys: readonly KeyEntry[]): void {
  writeFileSync(`${path}.new`, `${ringText(keys)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}
