import type { Secrets } from '@talpa/instance/secrets';
import { natsUrl } from '../../launcher/stores/nats-config.ts';
import { redisUrl } from '../../launcher/stores/redis.ts';
import type { Stores } from '../../launcher/stores/stores.ts';

/** Where containers reach the stores, as docker-compose.yml names them. */
const address = { postgres: 'postgres:5432', nats: 'nats:4222', redis: 'redis:6379' } as const;

/** The names under which Postgres makes its first role and its database; docker-compose.yml says the same. */
const postgres = { role: 'talpa', database: 'talpa' } as const;

export const postgresPassword = (secrets: Secrets) => secrets.storePassword('postgres');

/** The stores beside us, or those that DATABASE_URL, NATS_URL and REDIS_URL name. */
export function containerStores(secrets: Secrets, given: NodeJS.ProcessEnv): Stores {
  const { role, database } = postgres;
  return {
    adminUrl:
      given.DATABASE_URL ?? `postgres://${role}:${postgresPassword(secrets)}@${address.postgres}/${database}`,
    redisUrl: (user) => given.REDIS_URL ?? redisUrl(secrets, user, `redis://${address.redis}`),
    natsUrl: (user) => given.NATS_URL ?? natsUrl(secrets, user, address.nats),
  };
}

/** nats://… of the user that may have the server reload its configuration. */
export const natsSystemUrl = (secrets: Secrets) => natsUrl(secrets, 'system', address.nats);
