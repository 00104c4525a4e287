import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createSlots } from './bus/slots.ts';
import { gauge, readOnScrape } from './telemetry/metrics.ts';

/**
 * argon2id with the first of the equivalent settings of OWASP's Password Storage Cheat Sheet (2025): 19 MiB,
 * two passes, one lane. The library's default algorithm is argon2id. When this changes, hashes are renewed
 * as people sign in.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const presentCost = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

const queue = gauge(
  'talpa_password_hashes_under_way',
  'Password hashes that are computed, or wait until they can be',
);

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for an unknown name (`null`) as for a known one, and is then false. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
  /** Whether a hash was made at another cost than today's. */
  isOutdated(storedHash: string): boolean;
}

/**
 * @param concurrency hashes computed at once; the rest waits in order.
 * @param argon2 the work itself; tests count it.
 */
export async function createPasswords(concurrency: number, argon2 = { hash, verify }): Promise<Passwords> {
  const slots = createSlots(concurrency);
  readOnScrape('passwords', [queue], () => queue.set(slots.load));
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await slots.acquire();
    try {
      return await work();
    } finally {
      slots.release();
    }
  };
  const nobodysHash = await argon2.hash(randomBytes(24).toString('base64url'), cost);
  return {
    hash: (password) => inTurn(() => argon2.hash(password.normalize('NFC'), cost)),
    verify: async (storedHash, password) => {
      const matches = await inTurn(() => argon2.verify(storedHash ?? nobodysHash, password.normalize('NFC')));
      return matches && storedHash !== null;
    },
    isOutdated: (storedHash) => !storedHash.startsWith(presentCost),
  };
}
