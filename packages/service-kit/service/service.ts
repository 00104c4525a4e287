import type { NatsConnection } from '@nats-io/transport-node';
import type { ServiceName, Verbs } from '@talpa/contracts';
import type { CallContext } from '../bus/call-context.ts';
import { connectBus } from '../bus/connect.ts';
import { createCacheVersions, endingSessions } from '../cache-versions.ts';
import { connectServiceDatabase, type Database, waitForDatabase } from '../database/connect.ts';
import { startOutbox } from '../database/outbox.ts';
import { type TransactionTools, type Tx, withTransaction } from '../database/transaction.ts';
import { type DiskSpace, diskSettings, watchDisk } from '../disk.ts';
import { announcingVersions } from '../events/user-changed.ts';
import { type Lifecycle, type Member, runProcess } from '../process/lifecycle.ts';
import { connectRedis, type Redis } from '../redis/connect.ts';
import { createAssertionVerifier } from '../session/assertion.ts';
import { openVerifyingKeys } from '../session/keys.ts';
import type { SettingName, Settings } from '../settings.ts';
import { refuseWithoutRoom } from './room.ts';
import { serve } from './serve.ts';

/** What every service needs beside its own. */
export const commonSettings = [
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'NATS_URL',
  'REDIS_URL',
  'SESSION_PUBLIC_KEYS',
  ...diskSettings,
] as const;

/** What a service with a schema of its own stands on. */
export interface ServiceBase extends TransactionTools, Database {
  readonly nc: NatsConnection;
  readonly redis: Redis;
  /** Null where nobody has said what to look at. */
  readonly diskSpace: () => DiskSpace | null;
  /** Runs in a transaction; cache and outbox are seen to after COMMIT. In a verb its audit rows name the caller. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The context of a service's verbs: the call, the base, and what the service adds. */
export type ServiceContext<Added extends object = object> = CallContext & ServiceBase & Added;

/** Adds a service's own parts and verbs to what all services stand on. */
export type Wire<S extends ServiceName, N extends SettingName, Added extends object> = (
  base: ServiceBase,
  settings: Settings<N>,
  lifecycle: Lifecycle,
) => Promise<{ added: Added; verbs: Verbs<S, ServiceContext<Added>> }>;

/** A service, to be run in a process. */
export const memberOf = <S extends ServiceName, const N extends SettingName, Added extends object>(
  name: S,
  settingNames: readonly N[],
  wire: Wire<S, N, Added>,
): Member => ({
  name,
  start: async (lifecycle) => {
    await startService(name, settingNames, wire, lifecycle);
    return {};
  },
});

/** Runs a service as a process. */
export function runService<S extends ServiceName, const N extends SettingName, Added extends object>(
  name: S,
  settingNames: readonly N[],
  wire: Wire<S, N, Added>,
): Promise<void> {
  return runProcess(name, memberOf(name, settingNames, wire).start);
}

/** Connects a service's stores, starts its outbox, lets `wire` add its parts and verbs, and answers its calls. */
export async function startService<S extends ServiceName, const N extends SettingName, Added extends object>(
  name: S,
  settingNames: readonly N[],
  wire: Wire<S, N, Added>,
  lifecycle: Lifecycle,
): Promise<void> {
  const settings = lifecycle.settings([...commonSettings, ...settingNames]) as Settings<
    N | (typeof commonSettings)[number]
  >;
  const { sql, reads } = connectServiceDatabase(settings, lifecycle);
  await waitForDatabase(sql, lifecycle);
  const redis = connectRedis(settings.REDIS_URL, lifecycle);
  const redisVersions = createCacheVersions(redis, lifecycle);
  const ownVersions = name === 'auth' ? endingSessions(redisVersions) : redisVersions;
  const diskSpace = watchDisk(settings, lifecycle);
  const nc = await connectBus(settings.NATS_URL, name, lifecycle);
  const cacheVersions = announcingVersions(ownVersions, nc, name);
  const outbox = startOutbox(sql, nc, lifecycle);
  const tools = { service: name, sql, cacheVersions, outbox };
  const base: ServiceBase = {
    ...tools,
    reads,
    nc,
    redis,
    diskSpace,
    transaction: (work) => withTransaction(tools, work),
  };
  const { added, verbs } = await wire(base, settings, lifecycle);
  serve(
    nc,
    name,
    refuseWithoutRoom(name, verbs, diskSpace),
    (call) => ({
      ...base,
      ...added,
      transaction: (work) => withTransaction(tools, work, call),
    }),
    createAssertionVerifier(openVerifyingKeys(settings.SESSION_PUBLIC_KEYS)),
    lifecycle,
  );
}
