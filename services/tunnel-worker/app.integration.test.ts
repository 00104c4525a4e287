import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DesiredTunnel, InternalCalls, InternalName, Outcome, ServerReport } from '@talpa/contracts';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { askOperator } from '@talpa/service-kit/bus/operator';
import { callInternal } from '@talpa/service-kit/bus/request';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { commandSource, commandSubject, rpcSubjects } from '@talpa/service-kit/bus/subjects';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { publicHalf } from '@talpa/service-kit/session/keys';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { reportedOutcome, serverOf } from '@talpa/test-kit/lone-proxy';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { enqueue } from './jobs/sql.ts';

const stores = useStores();
const embedded = useProvider(stores);
const workers: ChildProcess[] = [];
let logs = '';
let nc: NatsConnection;
let sql: Sql;

/** What the service proxies would hold, by proxy. */
const wanted = new Map<string, DesiredTunnel>();
const reports = new Map<string, Outcome[]>();

beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'tunnel-worker');
  sql = openDatabase(urlOf('tunnel-worker'), 2);
  const natsUrl = stores.stores.natsUrl;
  await setUpStreams(natsUrl('operator'));
  nc = await openBus(natsUrl('proxies'), 'proxies');
  answerAsProxies();
  const env = {
    ...process.env,
    ...embedded.settings,
    DATABASE_URL: urlOf('tunnel-worker'),
    NATS_URL: natsUrl('tunnel-worker'),
    REDIS_URL: stores.stores.redisUrl('tunnel-worker'),
    SESSION_PUBLIC_KEYS: `test:${publicHalf(randomBytes(32).toString('base64url'))}`,
    INSTALLATION_ID: 'test1',
    TUNNEL_DOMAIN: 'example.com',
    PROVISION_ATTEMPTS: '2',
    PROVIDER_CALL_LIMIT_PER_5_MINUTES: '100000',
    LOG_LEVEL: 'trace',
  };
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  for (let count = 0; count < 2; count += 1) {
    const worker = fork(main, { env, silent: true });
    worker.stdout?.on('data', (data) => {
      logs += data;
    });
    worker.stderr?.on('data', (data) => {
      logs += data;
    });
    workers.push(worker);
    await Promise.race([
      once(worker, 'message'),
      once(worker, 'exit').then(() => Promise.reject(new Error(`the worker ended: ${logs}`))),
    ]);
  }
});
afterAll(async () => {
  for (const worker of workers) {
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }
  await nc?.close();
  await sql?.end({ timeout: 5 });
});

function answerAsProxies(): void {
  nc.subscribe(rpcSubjects('proxies.getDesiredServer'), {
    queue: 'proxies',
    callback: (_error, message) => {
      const { input } = message.json<{ input: { serverId: string } }>();
      const desired = wanted.get(input.serverId);
      message.respond(JSON.stringify(desired ? serverOf(desired) : null));
    },
  });
  nc.subscribe(rpcSubjects('proxies.reportServer'), {
    queue: 'proxies',
    callback: (_error, message) => {
      const { input } = message.json<{ input: ServerReport }>();
      const { serverId: proxyId } = input;
      const outcome = reportedOutcome(input);
      if (outcome) reports.set(proxyId, [...(reports.get(proxyId) ?? []), outcome]);
      const desired = wanted.get(proxyId);
      if (desired && outcome?.kind === 'applied')
        wanted.set(proxyId, { ...desired, settled: true, applied: outcome.applied });
      message.respond(JSON.stringify({ counted: true }));
    },
  });
}

async function sendCommand(proxyId: string): Promise<void> {
  await jetstream(streamsOf(nc)).publish(
    commandSubject('tunnel-worker.enqueue'),
    JSON.stringify({ proxyId, urgent: false }),
  );
}

function newProxy(): string {
  const proxyId = randomUUID();
  const want = { incarnation: 1, hostname: `${proxyId}.example.com`, origin: 'http://127.0.0.1:40120' };
  wanted.set(proxyId, { proxyId, generation: 1, want, applied: null, connected: false, settled: false });
  return proxyId;
}

function appliedTunnel(proxyId: string): Promise<string> {
  return until(`${proxyId} is applied`, () => {
    const last = reports.get(proxyId)?.at(-1);
    return last?.kind === 'applied' && last.applied.tunnelId;
  });
}

function ask<N extends InternalName>(name: N, input: z.input<InternalCalls[N]['input']>, deadline = 8_000) {
  const info = { requestId: randomUUID(), language: 'de', deadlineAt: Date.now() + deadline } as const;
  return callInternal(nc, name, input, info);
}

const unknownTunnel = '00000000-0000-4000-8000-000000000000';

describe('two worker processes', () => {
  it('make one tunnel and one record for each proxy, however often they are enqueued', async () => {
    const proxyIds = Array.from({ length: 12 }, newProxy);
    await Promise.all(
      proxyIds.flatMap((proxyId) => [sendCommand(proxyId), sendCommand(proxyId), sendCommand(proxyId)]),
    );
    for (const proxyId of proxyIds) await appliedTunnel(proxyId);
    const [count] = await embedded.sql`
      select (select count(*)::integer from tunnels) as tunnels, (select count(*)::integer from dns_records) as records`;
    expect(count).toEqual({ tunnels: 12, records: 12 });
    for (const proxyId of proxyIds)
      expect(reports.get(proxyId)?.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
  });

  it('keep what goes on failing where an operator sees it, and try it again when they say so', async () => {
    const proxyId = newProxy();
    await embedded.fault({ fault: '500' });
    await sendCommand(proxyId);
    const operator = (
      call: 'tunnel-worker.listDeadLetters' | 'tunnel-worker.retryDeadLetters',
      input: { proxyId?: string } = {},
    ) => askOperator(stores.stores.natsUrl('operator'), call, input);
    const letters = await until('it is a dead letter', async () => {
      const list = await operator('tunnel-worker.listDeadLetters');
      return Array.isArray(list) && list.length > 0 && list;
    });
    expect(letters).toMatchObject([
      {
        proxyId,
        generation: 1,
        failures: 2,
        reason: 'provider_unavailable',
        detail: expect.stringContaining('list tunnels: 500'),
      },
    ]);
    expect(reports.get(proxyId)?.map(({ kind }) => kind)).toEqual(['failing', 'dead_letter']);
    expect(await operator('tunnel-worker.retryDeadLetters', { proxyId: unknownTunnel })).toEqual({
      enqueued: 0,
    });
    await embedded.send('DELETE', '/fault-injection/faults');
    expect(await operator('tunnel-worker.retryDeadLetters', { proxyId })).toEqual({ enqueued: 1 });
    await appliedTunnel(proxyId);
    expect(await operator('tunnel-worker.listDeadLetters')).toEqual([]);
  });

  it('hold no command back while the provider is out, however many lag', async () => {
    await embedded.fault({ fault: '500' });
    const lagging = Array.from({ length: 300 }, newProxy);
    await Promise.all(lagging.map(sendCommand));
    const operator = await openBus(stores.stores.natsUrl('operator'), 'operator');
    const manager = await jetstreamManager(streamsOf(operator));
    await until('the bus holds none', async () => {
      const { state } = await manager.streams.info(commandSource('tunnel-worker.enqueue').stream);
      return state.messages === 0;
    });
    await operator.close();
    const next = newProxy();
    await sendCommand(next);
    await until('the next one is tried', () => reports.has(next));
    for (const proxyId of lagging) wanted.delete(proxyId);
    await embedded.send('DELETE', '/fault-injection/faults');
    await appliedTunnel(next);
  });

  it('remove nothing after a restore, until an operator has confirmed', async () => {
    await sql`update resync set held_back_at = now()`;
    const proxyId = randomUUID();
    const name = `talpa-test1-${proxyId}-g1`;
    await embedded.send('POST', '/client/v4/accounts/account1/cfd_tunnel', { name });
    const isThere = async () =>
      (await embedded.sql`select 1 from tunnels where name = ${name} and deleted_at is null`).length === 1;
    const runFullScan = async () => {
      await enqueue(sql, [{ serverId: proxyId, fullScan: true }]);
      const left = () => sql`select 1 from jobs where proxy_id = ${proxyId}`;
      await until('it was looked at', async () => (await left()).length === 0);
    };
    await runFullScan();
    expect(await isThere()).toBe(true);
    await sql`update resync set held_back_at = null`;
    await runFullScan();
    expect(await isThere()).toBe(false);
  });

  it('return a tunnel’s token and status, and never log the token', async () => {
    const proxyId = newProxy();
    await sendCommand(proxyId);
    const tunnelId = await appliedTunnel(proxyId);
    const { token } = await ask('tunnel-worker.getTunnelToken', { tunnelId });
    expect(JSON.parse(Buffer.from(token, 'base64').toString())).toMatchObject({ a: 'account1', t: tunnelId });
    expect(await ask('tunnel-worker.getTunnelStatus', { tunnelId })).toEqual({
      tunnelId,
      status: 'inactive',
    });
    expect(logs).toContain(proxyId);
    expect(logs).not.toContain(token);
    expect(logs).not.toContain(embedded.settings.CLOUDFLARE_API_TOKEN);
  });

  it('say so when a tunnel is not there', async () => {
    await expect(ask('tunnel-worker.getTunnelToken', { tunnelId: unknownTunnel })).rejects.toMatchObject({
      code: 'no_tunnel',
    });
    const missing = { tunnelId: unknownTunnel, status: 'not_found' };
    expect(await ask('tunnel-worker.getTunnelStatus', { tunnelId: unknownTunnel })).toEqual(missing);
    const proxyId = newProxy();
    await sendCommand(proxyId);
    const tunnelId = await appliedTunnel(proxyId);
    await embedded.send('DELETE', `/client/v4/accounts/account1/cfd_tunnel/${tunnelId}`);
    expect(await ask('tunnel-worker.getTunnelStatus', { tunnelId })).toEqual({
      tunnelId,
      status: 'not_found',
    });
    await expect(ask('tunnel-worker.getTunnelToken', { tunnelId })).rejects.toMatchObject({
      code: 'no_tunnel',
    });
  });

  it('say that the provider is unavailable when it fails or is too slow', async () => {
    for (const fault of [
      { fault: '500' },
      { fault: 'drop' },
      { fault: '429' },
      { fault: 'delay', ms: 60_000 },
    ]) {
      await embedded.fault({ ...fault, times: 2 });
      const input = { tunnelId: unknownTunnel };
      const unavailable = { code: 'provider_unavailable' };
      await expect(ask('tunnel-worker.getTunnelToken', input, 1_500)).rejects.toMatchObject(unavailable);
      await expect(ask('tunnel-worker.getTunnelStatus', input, 1_500)).rejects.toMatchObject(unavailable);
    }
  });
});

it('a fault at the provider is reported once to whom it concerns, whichever worker met it', async () => {
  // No operation of this name ever works.
  await sql`insert into provider_problems (operation, fault, detail) values ('none', 'zone_full', 'detail')`;
  const report = () => sql`select faults, version from reported_faults`;
  await until('the report', async () => (await report())[0]?.version > 0);
  expect(await report()).toEqual([{ faults: ['zone_full'], version: 1 }]);
});
