import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { createSlots } from '@talpa/service-kit/bus/slots';

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane (the library's default algorithm is argon2id). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long for an unknown name (`null`) as for a known one, and is then false. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

/** @param concurrency hashes computed at once; the rest waits in order. */
export async function createPasswords(concurrency: number): Promise<Passwords> {
  const slots = createSlots(concurrency);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    await slots.acquire();
    try {
      return await work();
    } finally {
      slots.release();
    }
  };
  const nobodysHash = await hash(randomBytes(24).toString('base64url'), cost);
  return {
    hash: (password) => inTurn(() => hash(password.normalize('NFC'), cost)),
    verify: async (storedHash, password) => {
      const matches = await inTurn(() => verify(storedHash ?? nobodysHash, password.normalize('NFC')));
      return matches && storedHash !== null;
    },
  };
}
