import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** Named keys; the first one signs or encrypts, all of them verify or decrypt. */
export interface KeyRing {
  readonly current: { readonly id: string; readonly key: KeyObject };
  byId(id: string): KeyObject | undefined;
}

/** Makes a key of the bytes a ring holds for it. @throws Error when they are none */
export type MakeKey = (bytes: Buffer) => KeyObject;

/**
 * Opens the ring a setting names: `kid:base64url[,kid:base64url…]`, or the path of a file that holds it. A file
 * is read again when it has changed, so that keys are rotated while everything runs.
 * @throws Error when there is no readable ring; it names the file
 */
export function openKeyRing(setting: string, makeKey: MakeKey = createSecretKey): KeyRing {
  if (!setting.startsWith('/')) return readKeyRing(setting, makeKey);
  try {
    return ringInFile(setting, makeKey);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new Error(`${setting} is damaged or cannot be read (${reason}). Restore it from a backup`, {
      cause,
    });
  }
}

/** KeyObjects: a string secret costs over a millisecond a check. */
export function readKeyRing(text: string, makeKey: MakeKey = createSecretKey): KeyRing {
  const keys = text
    .trim()
    .split(',')
    .map((part) => {
      const [, id, secret] = part.match(/^([\w-]+):([\w-]{43,})$/) ?? [];
      if (!id || !secret) throw new Error('a key ring is kid:base64url[,kid:base64url…]');
      return { id, key: makeKey(Buffer.from(secret, 'base64url')) };
    });
  const [current] = keys;
  if (!current) throw new Error('a key ring needs a key');
  return { current, byId: (id) => keys.find((key) => key.id === id)?.key };
}

function ringInFile(path: string, makeKey: MakeKey): KeyRing {
  const versionNow = () => {
    const { ino, mtimeMs } = statSync(path);
    return `${ino} ${mtimeMs}`;
  };
  const readFile = () => readKeyRing(readFileSync(path, 'utf8'), makeKey);
  let version = versionNow();
  let ring = readFile();
  const refresh = () => {
    try {
      const now = versionNow();
      if (now === version) return;
      ring = readFile();
      version = now;
    } catch {
      // Being replaced, or unreadable: what we have goes on working.
    }
  };
  return {
    get current() {
      refresh();
      return ring.current;
    },
    byId: (id) => {
      const known = ring.byId(id);
      if (known) return known;
      // Another process may sign with a newer key already.
      refresh();
      return ring.byId(id);
    },
  };
}
