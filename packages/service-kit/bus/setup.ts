import { isDeepStrictEqual } from 'node:util';
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { type CommandName, commands, type EventName, projections } from '@talpa/contracts';
import { openBus, openConnection, streamsOf } from './connect.ts';
import {
  auditConsumer,
  commandSource,
  commandStream,
  commandSubject,
  formerCommandStream,
  loggedRequestsSubject,
  measuredConsumer,
  projectionConsumer,
  requestsConsumer,
  serviceOf,
  streams,
} from './subjects.ts';

const minute = 60_000;
const mebibyte = 1_024 * 1_024;

/**
 * All are bounded: a process that writes without end does not fill the disk. What no longer fits is refused and waits in
 * its outbox; nothing that is stored is dropped for it.
 */
const streamConfigs: readonly (Partial<StreamConfig> & { name: string; max_bytes: number })[] = [
  // One message a subject: a compacted log from which every projection can be rebuilt.
  {
    name: streams.events,
    subjects: ['event.>'],
    max_msgs_per_subject: 1,
    discard: DiscardPolicy.New,
    max_bytes: 2_048 * mebibyte,
    duplicate_window: nanos(2 * minute),
  },
  ...[...new Set(Object.keys(commands).map(serviceOf))].map((service) => ({
    name: commandStream(service),
    subjects: [`command.${service}.>`],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: 64 * mebibyte,
    duplicate_window: nanos(2 * minute),
  })),
  // Gone once it is kept: addresses and names are not stored in a second place.
  {
    name: streams.audit,
    subjects: ['audit.>'],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: 512 * mebibyte,
    duplicate_window: nanos(2 * minute),
  },
  {
    name: streams.measurements,
    subjects: ['measured.>'],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: 256 * mebibyte,
    duplicate_window: nanos(2 * minute),
  },
  // What no longer fits the edge drops and counts.
  {
    name: streams.requests,
    subjects: [loggedRequestsSubject],
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: 64 * mebibyte,
    duplicate_window: nanos(2 * minute),
  },
  // Probes are empty: no process displaces another's.
  {
    name: streams.probes,
    subjects: ['probe.*'],
    max_msgs_per_subject: 1,
    max_msg_size: 1_024,
    max_bytes: mebibyte,
    allow_direct: false,
  },
];

/** What a server must be allowed to store, in bytes. */
export const streamBytes = streamConfigs.reduce((sum, { max_bytes }) => sum + max_bytes, 0);

/**
 * Makes the streams and durable consumers, or brings them to the declared state. Run as the operator, at
 * deploy time; safe to run twice.
 * @param replicas on how many servers each stream lies; its consumers follow it.
 */
export async function setUpStreams(natsUrl: string, replicas = 1): Promise<void> {
  const nc = await openBus(natsUrl, 'operator');
  try {
    const manager = await jetstreamManager(streamsOf(nc));
    const former = await takeFormerCommands(manager);
    for (const config of streamConfigs) await ensureStream(manager, { ...config, num_replicas: replicas });
    for (const [service, names] of Object.entries(projections))
      for (const name of names as readonly EventName[])
        await ensureConsumer(manager, streams.events, projectionConsumer(service, name), `event.${name}.>`);
    for (const name of Object.keys(commands) as CommandName[]) {
      const { stream, durable } = commandSource(name);
      await ensureConsumer(manager, stream, durable, commandSubject(name));
    }
    await former?.moveOn(streamsOf(nc));
    await ensureConsumer(manager, streams.audit, auditConsumer, 'audit.>');
    await ensureConsumer(manager, streams.measurements, measuredConsumer, 'measured.>');
    await ensureConsumer(manager, streams.requests, requestsConsumer, loggedRequestsSubject);
  } finally {
    await nc.close();
  }
}

/** Removes all that the streams hold: after a restore it is about another state. */
export async function purgeStreams(natsUrl: string): Promise<void> {
  const nc = await openBus(natsUrl, 'operator');
  try {
    const manager = await jetstreamManager(streamsOf(nc));
    for await (const { config } of manager.streams.list()) await manager.streams.purge(config.name);
  } finally {
    await nc.close();
  }
}

/**
 * Has a NATS server (2.10 or newer) read its configuration again, its users and their rights, where it has changed:
 * calls under way lose the right to get its response.
 * @param systemUrl of a user of its system account.
 * @param changedAt when the configuration was written, in ms since the epoch.
 * @throws Error with the server's words when it refuses
 */
export async function reloadServer(systemUrl: string, changedAt: number): Promise<void> {
  const nc = await openConnection(systemUrl, 'system');
  const ask = (what: string) => nc.request(`$SYS.REQ.SERVER.${nc.info?.server_id}.${what}`);
  try {
    const { data } = (await ask('VARZ')).json<{ data: { config_load_time: string } }>();
    if (Date.parse(data.config_load_time) > changedAt) return;
    const { error } = (await ask('RELOAD')).json<{ error?: { description: string } }>();
    if (error) throw new Error(`NATS did not reload: ${error.description}`);
  } finally {
    await nc.close();
  }
}

/**
 * Frees the subjects of the stream in which earlier versions kept all commands.
 * @returns how its commands are moved into the streams of today; null when there is none
 */
async function takeFormerCommands(manager: JetStreamManager) {
  const name = formerCommandStream;
  const found = await manager.streams.info(name).catch((error) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  if (!found) return null;
  await manager.streams.update(name, { subjects: [`former.${name}`] });
  return {
    moveOn: async (nc: NatsConnection) => {
      const { first_seq, last_seq } = found.state;
      for (let seq = first_seq; seq <= last_seq; seq += 1) {
        const message = await manager.streams.getMessage(name, { seq });
        if (!message) continue;
        const { subject, data, header } = message;
        // Interrupted, this is done again: a command that comes twice changes nothing more.
        await jetstream(nc).publish(subject, data, { headers: header });
      }
      await manager.streams.delete(name);
    },
  };
}

async function ensureStream(manager: JetStreamManager, config: Partial<StreamConfig> & { name: string }) {
  try {
    const { config: present } = await manager.streams.info(config.name);
    // NATS 2.9 takes one whose configuration is written again for another stream, once it has been restarted.
    const isSame = Object.entries(config).every(([name, value]) =>
      isDeepStrictEqual(present[name as keyof StreamConfig], value),
    );
    if (!isSame) await manager.streams.update(config.name, config);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await manager.streams.add(config);
  }
}

async function ensureConsumer(manager: JetStreamManager, stream: string, name: string, filter: string) {
  const config: Partial<ConsumerConfig> = {
    durable_name: name,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    // How long what was sent to a process that died or stopped waits for another: less than who creates
    // a proxy waits for its tunnel. Who works on a message says so in time.
    ack_wait: nanos(4_000),
    // A consumer that gives up stores it in its own table, where operators see it.
    max_deliver: -1,
    max_ack_pending: 256,
  };
  try {
    await manager.consumers.info(stream, name);
    await manager.consumers.update(stream, name, config);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await manager.consumers.add(stream, config);
  }
}

/** JetStream's 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'status' in error
    ? error.status === 404
    : /not found/i.test(String(error));
}
