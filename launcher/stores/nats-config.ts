import { join } from 'node:path';
import type { Secrets } from '@talpa/instance/secrets';
import { streamsUser } from '@talpa/service-kit/bus/connect';
import {
  type BusUser,
  busUsers,
  hasManyResponses,
  type Permissions,
} from '@talpa/service-kit/bus/permissions';
import { streamBytes } from '@talpa/service-kit/bus/setup';
import { inboxPrefix } from '@talpa/service-kit/bus/subjects';

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

/** Where JetStream's streams lie; the name is that of their folder on the disk. */
export const streamsAccount = 'TALPA';
const busAccount = 'BUS';
/** Room for what the streams do not count. */
const storeBytes = streamBytes + 256 * 1_024 * 1_024;

/**
 * The server's configuration: JetStream in a folder, and a user for each process with its rights from the contract.
 * @param own what is the server's own, `listen` above all.
 */
export function natsConfig(folder: string, secrets: Secrets, own: Readonly<Record<string, unknown>>): string {
  const config = {
    ...own,
    max_payload: 1_048_576,
    ...silence,
    // Given, not a share of what is free at the start: streams would not fit a disk that has become fuller.
    jetstream: { store_dir: join(folder, 'jetstream'), max_file_store: storeBytes },
    ...accounts(secrets),
  };
  return JSON.stringify(config, null, 2);
}

/** The users alone, for a server whose own configuration includes them. */
export const natsUsersConfig = (secrets: Secrets) => JSON.stringify(accounts(secrets), null, 2);

/**
 * NATS does not check the reply subject that a message names, and JetStream responds there to whatever it stores or is
 * ordered. So its account has no users but the operator. A process reaches it through an account of its own, which
 * imports its subjects: the account's responses come back into that one, where only these subjects lead anywhere.
 */
function accounts(secrets: Secrets) {
  const users = busUsers();
  const processes = Object.entries(users).filter(([name]) => name !== 'operator') as [BusUser, Permissions][];
  const exported = new Map<string, string[]>();
  for (const [name, { streams }] of processes)
    for (const subject of streams)
      exported.set(subject, [...(exported.get(subject) ?? []), streamsUser(name)]);
  const exports = [...exported].map(([service, accounts]) => ({
    service,
    accounts,
    response_type: hasManyResponses(service) ? 'stream' : 'singleton',
  }));
  return {
    accounts: {
      [streamsAccount]: {
        jetstream: 'enabled',
        users: [userOf(secrets, 'operator', streamsUser('operator'), { publish: ['>'], subscribe: ['>'] })],
        exports: [...exports, { service: accountInfo }],
      },
      [busAccount]: {
        users: Object.entries(users).map(([name, may]) => userOf(secrets, name as BusUser, name, may)),
        imports: importsOf([accountInfo]),
      },
      ...Object.fromEntries(
        processes.map(([name, { streams }]) => {
          const may = { publish: streams, subscribe: [`${inboxPrefix(name)}.>`] };
          const user = userOf(secrets, name, streamsUser(name), may);
          return [streamsUser(name), { users: [user], imports: importsOf([accountInfo, ...streams]) }];
        }),
      ),
      SYS: { users: [{ user: 'system', password: passwordOf(secrets, 'system') }] },
    },
    system_account: 'SYS',
  };
}

/** An account that imports it gets no API of JetStream from NATS itself, which would respond there, too. */
const accountInfo = '$JS.API.INFO';

const importsOf = (subjects: readonly string[]) =>
  subjects.map((subject) => ({ service: { account: streamsAccount, subject } }));

function userOf(
  secrets: Secrets,
  process: BusUser,
  user: string,
  { publish, subscribe }: Pick<Permissions, 'publish' | 'subscribe'>,
) {
  return {
    user,
    password: passwordOf(secrets, process),
    permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } },
  };
}
