import { randomBytes, randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import { busCalls, serviceNames } from '@talpa/contracts';
import { newProcess } from '@talpa/test-kit/lifecycle';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../app-error.ts';
import type { CallContext } from '../bus/call-context.ts';
import { openBus, streamsOf } from '../bus/connect.ts';
import { busUserNames } from '../bus/permissions.ts';
import { ask } from '../bus/request.ts';
import { setUpStreams } from '../bus/setup.ts';
import { replyPrefix, rpcSubject, streams } from '../bus/subjects.ts';
import { createAssertionSigner, createAssertionVerifier } from '../session/assertion.ts';
import { openSigningKeys, openVerifyingKeys, publicHalf } from '../session/keys.ts';
import { serve } from './serve.ts';

const test = useStores();
const client = { address: '127.0.0.1', userAgent: 'test' };
const actor = { userId: 1, isAdmin: false, sessionId: randomUUID() };
const secret = randomBytes(32).toString('base64url');
const signAssertion = createAssertionSigner(openSigningKeys(`k1:${secret}`));
const verifyAssertion = createAssertionVerifier(openVerifyingKeys(`k1:${publicHalf(secret)}`));

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
    getStorage: async () => null,
    getSystem: async () => ({ checks: [], lastBackupAt: null, totals: null }),
    readLastBackup: async () => ({ madeAt: null }),
    listAudit: async () => [],
    listOwnAudit: async () => [],
    exportUser: async () => ({ audit: [], next: null }),
    readHealth: () => Promise.reject(new Error('nobody asks')),
    readTraffic: () => Promise.reject(new Error('nobody asks')),
    readEvents: async () => [],
    readServerEvents: async () => [],
    readRequestLog: async () => ({ entries: 0, missed: 0 }),
    readRequests: async () => ({ requests: [], next: null, total: null }),
    exportRequests: async () => ({ requests: [], next: null }),
    rebuild: async () => ({ totalProxies: 0, activeProxies: 0, totalUsers: 0 }),
  };
  serve(stats, 'stats', verbs, () => ({}), verifyAssertion, newProcess().lifecycle);
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
    { assertion: who && signAssertion(who), client, input: {} },
    { requestId: randomUUID(), language: 'de', deadlineAt: Date.now() + milliseconds },
  );
const callBody = () => JSON.stringify({ assertion: signAssertion(actor), client, input: {} });
const codeOf = async (response: Promise<unknown>) => {
  const error = await response.then(
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
  it('is served to nobody to whom the contract does not give it, whatever NATS lets through', async () => {
    const served: string[] = [];
    behave = async ({ caller }) => {
      served.push(caller);
      return totals;
    };
    const operator = await openBus(test.stores.natsUrl('operator'), 'operator');
    const reply = `${replyPrefix('operator', 'stats')}any`;
    operator.publish(rpcSubject('stats.getTotals', 'operator'), callBody(), { reply });
    await operator.flush();
    await operator.close();
    await call('stats.getTotals');
    expect(served).toEqual(['gateway']);
  });
  it('fails at once when nobody serves it', async () => {
    expect(await codeOf(call('billing.getSubscription'))).toBe('service_unavailable');
  });
  it('ends with its deadline when nobody answers', async () => {
    behave = () => new Promise(() => {});
    expect(await codeOf(call('stats.getTotals', 150))).toBe('deadline_exceeded');
  });
  it('gets its response though NATS reads its configuration again meanwhile, as at each upgrade', async () => {
    const begun = Promise.withResolvers<void>();
    const reloaded = Promise.withResolvers<void>();
    behave = async () => {
      begun.resolve();
      await reloaded.promise;
      return totals;
    };
    const response = call('stats.getTotals', 10_000);
    await begun.promise;
    await test.reloadNats();
    reloaded.resolve();
    expect((await response).json()).toEqual(totals);
  });
});

describe('a NATS user', () => {
  beforeAll(() => setUpStreams(test.stores.natsUrl('operator')));
  /** What the server says about this user's next violation. */
  const nextViolation = (nc: NatsConnection) =>
    new Promise<string>((resolve) => {
      void (async () => {
        for await (const status of nc.status()) if (status.type === 'error') resolve(String(status.error));
      })();
    });
  const publish = async (nc: NatsConnection, subject: string) => {
    const violation = nextViolation(nc);
    nc.publish(subject, JSON.stringify({ userId: 1, isAdmin: true }));
    // A refusal arrives before the first response, and is reported by the second.
    const accepted = nc.flush().then(async () => {
      await nc.flush();
      return `${subject} accepted`;
    });
    return Promise.race([violation, accepted]);
  };

  it('cannot call what the contract does not give it', async () => {
    for (const caller of ['stats', 'gateway'])
      expect(await publish(stats, rpcSubject('auth.login', caller))).toMatch(/permissions violation/i);
  });

  it.each(serviceNames)('of the service %s neither calls nor answers in another’s name', async (service) => {
    const captured = await openBus(test.stores.natsUrl(service), service);
    try {
      for (const { subject } of busCalls.filter(({ from }) => from.includes(service)))
        for (const caller of ['gateway', 'operator'])
          expect(await publish(captured, rpcSubject(subject, caller))).toMatch(/permissions violation/i);
      for (const other of serviceNames)
        if (other !== service)
          for (const caller of ['gateway', 'operator', ...serviceNames])
            expect(await publish(captured, `${replyPrefix(caller, other)}any.reply`)).toMatch(
              /permissions violation/i,
            );
      expect(await publish(captured, '_INBOX.gateway.any')).toMatch(/permissions violation/i);
    } finally {
      await captured.close();
    }
  });

  it.each(busUserNames.filter((user) => user !== 'operator'))(
    'of %s may order nothing of JetStream but what its account imports',
    async (user) => {
      const captured = await openBus(test.stores.natsUrl(user), user);
      try {
        // Each would let it name a subject to which NATS delivers what a stream holds.
        for (const connection of [captured, streamsOf(captured)])
          for (const request of [
            'CONSUMER.CREATE',
            'CONSUMER.DURABLE.CREATE',
            'STREAM.UPDATE',
            'STREAM.PURGE',
          ])
            expect(await publish(connection, `$JS.API.${request}.${streams.probes}`)).toMatch(
              /permissions violation/i,
            );
        expect(await publish(captured, `$JS.API.STREAM.INFO.${streams.events}`)).toMatch(
          /permissions violation/i,
        );
      } finally {
        await captured.close();
      }
    },
  );

  it('writes nothing into a stream whose messages it receives', async () => {
    for (const subject of ['audit.stats', 'measured.stats'])
      expect(await publish(streamsOf(stats), subject)).toMatch(/permissions violation/i);
  });
});

describe('a reply', () => {
  it('comes to a name that does not follow from those before', async () => {
    behave = async () => totals;
    const names = new Set<string>();
    const observer = await openBus(test.stores.natsUrl('operator'), 'operator');
    observer.subscribe('_INBOX.gateway.>', { callback: (_error, { subject }) => void names.add(subject) });
    await observer.flush();
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await Promise.all(Array.from({ length: 20 }, () => call('stats.getTotals')));
    random.mockRestore();
    await observer.flush();
    await observer.close();
    expect(names.size).toBe(20);
    // 122 random bits in each: a counter would be as distinct.
    for (const name of names) expect(name).toMatch(/\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  it('goes to the caller’s own inbox and nowhere else, whatever reply subject a call names', async () => {
    const served: string[] = [];
    behave = async ({ caller }) => {
      served.push(caller);
      return totals;
    };
    const send = (reply?: string) =>
      gateway.publish(rpcSubject('stats.getTotals', 'gateway'), callBody(), reply ? { reply } : {});
    for (const reply of [
      'audit.stats',
      'user.changed.stats.1',
      `${replyPrefix('operator', 'stats')}x`,
      undefined,
    ])
      send(reply);
    await gateway.flush();
    await call('stats.getTotals');
    expect(served).toEqual(['gateway']);
  });
});
