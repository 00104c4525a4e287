import { randomUUID } from 'node:crypto';
import { type ConsumerInfo, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type AuditMessage,
  auditMessage,
  commands,
  events,
  loggedRequests,
  measured,
} from '@talpa/contracts';
import { streamsOf } from '@talpa/service-kit/bus/connect';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { sampleOf } from '@talpa/test-kit/requests/samples';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';
import type { z } from 'zod';

const talpa = useServices(useStores(), ['auth', 'billing', 'proxies', 'stats', 'notifications']);
const random = randomFrom(57);
const most = Number.MAX_SAFE_INTEGER;
/** No index of Postgres takes it. */
const long = random.word(9_000);

/** All that a durable consumer's sender may send it, by the filter of the consumer. */
function promisedBy(filter: string): { subject: string; schema: z.ZodType } {
  const [, name = ''] = /^(?:event|command)\.(.*?)(?:\.>)?$/.exec(filter) ?? [];
  if (name in events) return { subject: filter, schema: events[name as keyof typeof events].schema };
  if (name in commands) return { subject: filter, schema: commands[name as keyof typeof commands].schema };
  const known: Record<string, { subject: string; schema: z.ZodType }> = {
    'audit.>': { subject: 'audit.billing', schema: auditMessage },
    'measured.>': { subject: 'measured.edge', schema: measured },
    'requests.logged': { subject: 'requests.logged', schema: loggedRequests },
  };
  return known[filter] as (typeof known)[string];
}

/** The same value with each of its texts and numbers in turn replaced by what is hostile. */
function* spoiled(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield* ['a\0b', 'a\ud800b', long, '', '0000-01-01T00:00:00.000Z'];
  if (typeof value === 'number') yield* [most, -most, 2 ** 31, 1.5];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value))
    for (const other of spoiled(part))
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
}

/** More than a consumer holds unacknowledged: what is no message, and what is one that no table takes. */
function* poisonFor(filter: string): Generator<{ subject: string; payload: string }> {
  const { subject, schema } = promisedBy(filter);
  const on = (id: unknown) => subject.replace('>', String(id));
  for (const id of [most, 2 ** 40, -1, 'x', 'x'.repeat(200)]) yield { subject: on(id), payload: '{"x":' };
  for (let at = 0; at < 100; at += 1)
    for (const payload of ['{"x":', '\0', '', '[null]']) yield { subject: on(1_000_000 + at), payload };
  for (let at = 0, sent = 0; at < 2_000 && sent < 300; at += 1)
    for (const payload of spoiled(sampleOf(schema, random)))
      if (schema.safeParse(payload).success) {
        yield { subject: on((payload as { id?: unknown }).id), payload: JSON.stringify(payload) };
        sent += 1;
      }
}

it('no durable consumer is held up by what one sender may send: all of it is done with, and what others send arrives', async () => {
  const nc = streamsOf(await talpa.connectionOf('operator'));
  const manager = await jetstreamManager(nc);
  const consumers: ConsumerInfo[] = [];
  for await (const { config } of manager.streams.list())
    for await (const consumer of manager.consumers.list(config.name))
      if (!consumer.name.startsWith('tunnel-worker-')) consumers.push(consumer);
  expect(consumers.length).toBeGreaterThan(15);
  for (const filter of new Set(consumers.map(({ config }) => config.filter_subject ?? ''))) {
    const poison = [...poisonFor(filter)];
    expect(poison.length, filter).toBeGreaterThan(600);
    for (let at = 0; at < poison.length; at += 100)
      await Promise.all(
        poison.slice(at, at + 100).map(({ subject, payload }) => jetstream(nc).publish(subject, payload)),
      );
  }
  const row: AuditMessage = {
    ...{ id: randomUUID(), at: new Date().toISOString(), service: 'auth', action: 'user.update' },
    ...{ target: { kind: 'user', id: '1', label: null }, changes: {}, actor: null, client: null },
    ...{ subjectUserId: null, requestId: 'r' },
  };
  await talpa.publishStored('audit.auth', row);
  const waiting = async () => {
    const left: string[] = [];
    for (const { stream_name, name } of consumers) {
      const { num_pending, num_ack_pending } = await manager.consumers.info(stream_name, name);
      if (num_pending + num_ack_pending > 0) left.push(`${name} ${num_pending} ${num_ack_pending}`);
    }
    return left;
  };
  // What is left names itself.
  await until('all of it is done with', async () => (await waiting()).length === 0).catch(() => {});
  expect(await waiting()).toEqual([]);
  expect(await talpa.sql`select 1 from stats.audit where id = ${row.id}`).toHaveLength(1);
});
