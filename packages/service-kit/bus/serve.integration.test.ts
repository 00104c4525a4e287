import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProcess } from '../../../tests/kit/lifecycle.ts';
import { useStores } from '../../../tests/kit/stores.ts';
import { AppError } from '../app-error.ts';
import { openBus } from './connect.ts';
import { ask } from './request.ts';
import { type CallContext, serve } from './serve.ts';

const test = useStores();
const origin = { address: '127.0.0.1', userAgent: 'test' };
const actor = { userId: 1, isAdmin: false, sessionId: randomUUID() };

let gateway: NatsConnection;
let stats: NatsConnection;
let behave: (
  context: CallContext,
) => Promise<{ totalProxies: number; activeProxies: number; totalUsers: number }>;

beforeAll(async () => {
  gateway = await openBus(test.stores.natsUrl('gateway'), 'gateway');
  stats = await openBus(test.stores.natsUrl('stats'), 'stats');
  const verbs = {
    getTotals: (context: CallContext) => behave(context),
    listAudit: async () => [],
    listOwnAudit: async () => [],
    exportUser: async () => ({ audit: [] }),
    readHealth: () => Promise.reject(new Error('nobody asks')),
    readTraffic: () => Promise.reject(new Error('nobody asks')),
    readEvents: async () => [],
    rebuild: async () => ({ totalProxies: 0, activeProxies: 0, totalUsers: 0 }),
  };
  serve(stats, 'stats', verbs, () => ({}), newProcess().lifecycle);
  await stats.flush();
});
afterAll(async () => {
  await gateway.close();
  await stats.close();
});

const call = (name: string, milliseconds = 2_000, who: typeof actor | null = actor) =>
  ask(
    gateway,
    name,
    { actor: who, origin, input: {} },
    { requestId: randomUUID(), language: 'de', deadlineAt: Date.now() + milliseconds },
  );
const codeOf = async (answer: Promise<unknown>) => {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? error.code : error;
};
const totals = { totalProxies: 1, activeProxies: 1, totalUsers: 1 };

describe('a call on the bus', () => {
  it('comes back as the verb’s answer, without fields the contract does not know', async () => {
    behave = async () => ({ ...totals, secret: 'hidden' }) as typeof totals;
    expect((await call('stats.getTotals')).json()).toEqual(totals);
  });
  it('carries an expected error as code and parameters', async () => {
    behave = async () => {
      throw new AppError('proxy_limit_reached', { params: { limit: 3 } });
    };
    await expect(call('stats.getTotals')).rejects.toMatchObject({
      code: 'proxy_limit_reached',
      params: { limit: 3 },
    });
  });
  it('hides an unexpected error, and one wrong answer does not end the service', async () => {
    behave = async () => {
      throw new Error('select password from users');
    };
    expect(await codeOf(call('stats.getTotals'))).toBe('internal');
    behave = async () => ({ totalProxies: -1 }) as typeof totals;
    expect(await codeOf(call('stats.getTotals'))).toBe('internal');
    behave = async () => totals;
    expect((await call('stats.getTotals')).json()).toEqual(totals);
  });
  it('is refused without somebody who acts where the contract asks for one', async () => {
    expect(await codeOf(call('stats.getTotals', 2_000, null))).toBe('not_signed_in');
  });
  it('fails at once when nobody serves it', async () => {
    expect(await codeOf(call('billing.getSubscription'))).toBe('service_unavailable');
  });
  it('ends with its deadline when nobody answers', async () => {
    behave = () => new Promise(() => {});
    expect(await codeOf(call('stats.getTotals', 150))).toBe('deadline_exceeded');
  });
  it('is answered though NATS reads its configuration again meanwhile, as at each upgrade', async () => {
    const begun = Promise.withResolvers<void>();
    const reloaded = Promise.withResolvers<void>();
    behave = async () => {
      begun.resolve();
      await reloaded.promise;
      return totals;
    };
    const answer = call('stats.getTotals', 10_000);
    await begun.promise;
    await test.reloadNats();
    reloaded.resolve();
    expect((await answer).json()).toEqual(totals);
  });
});

describe('a NATS user', () => {
  it('cannot call what the contract does not give it', async () => {
    const failure = new Promise((resolve) => {
      void (async () => {
        for await (const status of stats.status()) if (status.type === 'error') resolve(String(status.error));
      })();
    });
    stats.publish('rpc.auth.login', '{}');
    await stats.flush();
    expect(await failure).toMatch(/permissions violation/i);
  });
});
