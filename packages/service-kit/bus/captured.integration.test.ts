import { jetstream, jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import { createInbox, headers, type NatsConnection } from '@nats-io/transport-node';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import { openBus, streamsOf, userOf } from './connect.ts';
import { type BusUser, busUserNames, busUsers } from './permissions.ts';
import { setUpStreams } from './setup.ts';
import { inboxPrefix, streams } from './subjects.ts';

const test = useStores();

const captured = busUserNames.filter((name) => name !== 'operator');
/** JetStream responds to some of them with nothing at all, which is an order where a stream is purged. */
const bodiesOf = (subject: string) =>
  subject.startsWith('$JS.ACK.') ? ['', '+ACK', '+TERM', '+NXT'] : ['', '{"batch":1,"no_wait":true}'];
const ackOf = (stream: string, consumer: string, seq: number) =>
  `$JS.ACK.${stream}.${consumer}.1.${seq}.${seq}.1700000000000000000.0`;

/** Does a pattern of NATS's (`*`, `>`) include a subject? */
const includes = (pattern: string, subject: string) =>
  new RegExp(
    `^${pattern
      .split('.')
      .map((part) => ({ '*': '[^.]+', '>': '.+' })[part] ?? part.replaceAll('$', '\\$'))
      .join('\\.')}$`,
  ).test(subject);

/** What it may publish, and the messages that are its to acknowledge. */
async function ownOf(user: BusUser, operator: NatsConnection): Promise<string[]> {
  const { publish, streams: stored } = busUsers()[user];
  const manager = await jetstreamManager(streamsOf(operator));
  const received: string[] = [];
  for await (const { config: stream } of manager.streams.list())
    for await (const { name, config } of manager.consumers.list(stream.name))
      if (
        stream.retention === RetentionPolicy.Workqueue &&
        stored.includes(`$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${name}`)
      )
        received.push(config.filter_subject ?? '');
  return [...publish, ...stored, ...received];
}

/** New streams: a process that was captured before has asked for all that it may receive. */
async function makeStreamsAnew(operator: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(streamsOf(operator));
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
  await setUpStreams(test.stores.natsUrl('operator'));
}

/** Messages in each stream that this user neither writes nor receives. */
async function leaveMessages(operator: NatsConnection, own: readonly string[]): Promise<void> {
  const js = jetstream(streamsOf(operator));
  for (const subject of [...subjectsOfOthers(own), 'probe.operator'])
    for (let count = 0; count < 3; count += 1)
      await js.publish(subject, subject === 'probe.operator' ? '' : 'theirs');
}

const subjectsOfOthers = (own: readonly string[]) =>
  [
    ...['user', 'subscription', 'proxy'].map((name) => `event.${name}.1`),
    ...['billing', 'auth', 'proxies'].map((name) => `audit.${name}`),
    ...['command.billing.setSubscription', 'command.notifications.sendMail'],
    ...['measured.edge', 'measured.proxies', 'requests.logged'],
  ].filter((subject) => !own.some((pattern) => includes(pattern, subject)));

/** All that could be harmed: streams with the messages of others, and the consumers of others. */
async function stateOf(operator: NatsConnection, own: readonly string[]) {
  const manager = await jetstreamManager(streamsOf(operator));
  const found: Record<string, unknown> = {};
  const mine = (subject: string) => own.some((pattern) => includes(pattern, subject));
  for await (const { config, created } of manager.streams.list()) {
    const { state } = await manager.streams.info(config.name, { subjects_filter: '>' });
    const theirs = Object.entries(state.subjects ?? {}).filter(([subject]) => !mine(subject));
    found[config.name] = { created, config, theirs: Object.fromEntries(theirs.sort()) };
    for await (const consumer of manager.consumers.list(config.name)) {
      const { name, ack_floor, delivered } = consumer;
      if (!mine(`$JS.API.CONSUMER.MSG.NEXT.${config.name}.${name}`))
        found[`${config.name} ${name}`] = {
          config: consumer.config,
          since: consumer.created,
          ack_floor,
          delivered,
        };
    }
  }
  return found;
}

/** What JetStream may be ordered to do on these subjects, or what would be taken for another's message. */
async function hostileReplies(operator: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(streamsOf(operator));
  const replies = ['_INBOX.operator.x', '_INBOX.gateway.x', 'user.changed.auth.1', ...subjectsOfOthers([])];
  for await (const { config, state } of manager.streams.list()) {
    const [stream, first] = [config.name, state.first_seq];
    for (const order of ['PURGE', 'DELETE', 'UPDATE', 'MSG.DELETE', 'SNAPSHOT', 'LEADER.STEPDOWN', 'MSG.GET'])
      replies.push(`$JS.API.STREAM.${order}.${stream}`);
    for await (const { name } of manager.consumers.list(stream)) {
      for (const order of ['DELETE', 'MSG.NEXT', 'DURABLE.CREATE'])
        replies.push(`$JS.API.CONSUMER.${order}.${stream}.${name}`);
      replies.push(ackOf(stream, name, first), ackOf(stream, name, first + 1));
    }
  }
  return replies;
}

/** Subjects that this pattern allows; of acknowledgements those of the first messages. */
const concrete = (pattern: string) => {
  const [, stream = '', consumer = ''] = /^\$JS\.ACK\.([^.]+)\.([^.]+)\.>$/.exec(pattern) ?? [];
  if (stream) return [1, 2, 3].map((seq) => ackOf(stream, consumer, seq));
  return [pattern.replace(/\*|>/g, '77')];
};

const forgedHeaders = () => {
  const made = headers();
  made.set('Nats-Rollup', 'all');
  made.set('Nats-Expected-Stream', streams.events);
  made.set('Nats-Request-Info', JSON.stringify({ acc: 'TALPA', svc: 'TALPA' }));
  return made;
};

describe.each(captured)('a process that is captured, %s', (user: BusUser) => {
  it('purges and deletes no stream, no consumer and no message of others, whatever reply subject it names', async () => {
    const operator = await openBus(test.stores.natsUrl('operator'), 'operator');
    const nc = await openBus(test.stores.natsUrl(user), user);
    try {
      const rights = busUsers()[user];
      await makeStreamsAnew(operator);
      const own = await ownOf(user, operator);
      await leaveMessages(operator, own);
      const before = await stateOf(operator, own);
      const replies = await hostileReplies(operator);
      // What it has received it may acknowledge, and JetStream responds to that with nothing at all.
      const received = (
        await Promise.all(
          rights.streams.filter((one) => one.includes('.MSG.NEXT.')).map((one) => next(nc, one)),
        )
      ).flat();
      for (const [connection, allowed] of [
        [nc, rights.publish],
        [streamsOf(nc), [...rights.streams, ...received]],
      ] as const) {
        for (const subject of allowed.flatMap(concrete)) {
          for (const reply of replies) {
            for (const body of bodiesOf(subject)) connection.publish(subject, body, { reply });
            connection.publish(subject, '{}', { reply, headers: forgedHeaders() });
          }
          await connection.flush();
        }
        // Directly, too, on the connection that may not.
        for (const reply of replies) connection.publish(reply, '', { headers: forgedHeaders() });
        await connection.flush();
      }
      // JetStream works off its own queues: once it has stored and shown one message more, it has seen those before.
      await jetstream(streamsOf(operator)).publish('probe.operator', '');
      await until('the streams to be at rest', async () => {
        const first = JSON.stringify(await stateOf(operator, own));
        return first === JSON.stringify(await stateOf(operator, own));
      });
      expect(await stateOf(operator, own)).toEqual(before);
    } finally {
      await nc.close();
      await operator.close();
    }
  });
});

/** The subject on which the consumer's next message, if there is one, is acknowledged. */
async function next(nc: NatsConnection, subject: string): Promise<string[]> {
  const inbox = createInbox(inboxPrefix(userOf(nc)));
  const responses = streamsOf(nc).subscribe(inbox, { max: 1 });
  streamsOf(nc).publish(subject, '{"batch":1,"no_wait":true}', { reply: inbox });
  for await (const { reply } of responses) return reply ? [reply] : [];
  return [];
}
