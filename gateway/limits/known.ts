import type { Redis } from '@talpa/service-kit/redis/connect';

/** From which addresses somebody has signed in under a name lately. Forgotten with Redis: then none is known. */
export interface KnownAddresses {
  has(name: string, address: string): Promise<boolean>;
  add(name: string, address: string): Promise<void>;
}

const days = 30;

export function createKnownAddresses(redis: Redis): KnownAddresses {
  const keyOf = (name: string, address: string) => `known:${name}:${address}`;
  return {
    has: async (name, address) => (await redis.exists(keyOf(name, address)).catch(() => 0)) === 1,
    add: async (name, address) => {
      await redis.set(keyOf(name, address), 1, 'EX', days * 86_400).catch(() => {});
    },
  };
}
