import { join } from 'node:path';
import { type BusUser, busUsers } from '@talpa/service-kit/bus/permissions';
import type { Secrets } from '../secrets.ts';

/** May reload the server, and nothing else: not on our bus, but in NATS's own account. */
type SystemUser = 'system';
const passwordOf = (secrets: Secrets, user: BusUser | SystemUser) => secrets.storePassword(`nats ${user}`);

/** nats://… of one of its users. @param address host:port */
export const natsUrl = (secrets: Secrets, user: BusUser | SystemUser, address: string) =>
  `nats://${user}:${passwordOf(secrets, user)}@${address}`;

/**
 * A client, or another server of the cluster, that is silent for eight seconds is gone. NATS's own two minutes and more
 * would hand a process that hangs, or whose machine is away, its share of the calls for as long as that.
 */
const silence = { ping_interval: '2s', ping_max: 3 } as const;

/**
 * The server's configuration: JetStream in a folder, and a user for each process with its rights from the contract.
 * @param own what is the server's own, `listen` above all.
 * @param reloadable adds a user who may have it read this again. All users have accounts then: beside NATS's own
 * account alone, 2.9 would let in all clients.
 */
export function natsConfig(
  folder: string,
  secrets: Secrets,
  own: Readonly<Record<string, unknown>>,
  reloadable = false,
): string {
  const config = {
    ...own,
    max_payload: 1_048_576,
    ...silence,
    jetstream: { store_dir: join(folder, 'jetstream') },
    ...(reloadable ? accounts(secrets) : { authorization: { users: usersOf(secrets) } }),
  };
  return JSON.stringify(config, null, 2);
}

/** The users alone, for a server whose own configuration includes them. */
export const natsUsersConfig = (secrets: Secrets) => JSON.stringify(accounts(secrets), null, 2);

function accounts(secrets: Secrets) {
  const system = { users: [{ user: 'system', password: passwordOf(secrets, 'system') }] };
  return {
    accounts: { TALPA: { jetstream: 'enabled', users: usersOf(secrets) }, SYS: system },
    system_account: 'SYS',
  };
}

function usersOf(secrets: Secrets) {
  return Object.entries(busUsers()).map(([user, permissions]) => ({
    user,
    password: passwordOf(secrets, user as BusUser),
    permissions: {
      publish: { allow: permissions.publish },
      subscribe: { allow: permissions.subscribe },
    },
  }));
}
