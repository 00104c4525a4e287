import { randomUUID } from 'node:crypto';
import type { CommandOf, EventOf, Outcome } from '@talpa/contracts';
import { streamsOf } from '@talpa/service-kit/bus/connect';
import {
  appliedSubject,
  commandSubject,
  eventSubject,
  userChangedSubject,
} from '@talpa/service-kit/bus/subjects';
import { beforeAll } from 'vitest';
import { actorOf, type useServices } from './services.ts';
import { until } from './wait.ts';

type JobRequest = CommandOf<'tunnel-worker.enqueue'>;
/** The name under which a subdomain is reached. */
export const hostOf = (label: string) => `${label}.tunnel.localhost`;
/** Any administrator. */
export const admin = actorOf(999_999, { isAdmin: true });

/** People with proxies at the proxies of `useServices`, whose worker the test plays; it has billing and proxies. */
export function useOwners(talpa: ReturnType<typeof useServices>) {
  /** What the worker will report of the next runs for a host name; left out: that all is as wanted. */
  const outcomes = new Map<string, Outcome>();
  /** Host names that the worker does not get to. */
  const waiting = new Set<string>();
  /** The test plays the worker. */
  beforeAll(async () => {
    const nc = streamsOf(await talpa.connectionOf('operator'));
    nc.subscribe(commandSubject('tunnel-worker.enqueue'), {
      callback: (_error, message) => void work(message.json<JobRequest>().proxyId).catch(() => {}),
    });
    await nc.flush();
  });
  async function work(proxyId: string): Promise<void> {
    const desired = await talpa.ask('proxies.getDesired', { proxyId });
    if (!desired) return;
    const { want, generation, applied } = desired;
    const hostname = want?.hostname ?? '';
    if (waiting.has(hostname)) return;
    const suspended = want?.suspended ? { suspended: true } : {};
    const tunnelId = applied?.incarnation === want?.incarnation ? applied?.tunnelId : undefined;
    const made = want && {
      ...{ ...want, ...suspended, tunnelId: tunnelId ?? randomUUID(), dnsRecordId: 'record' },
    };
    const outcome =
      outcomes.get(hostname) ?? (made ? { kind: 'applied', applied: made } : { kind: 'removed' });
    await talpa.ask('proxies.report', { proxyId, generation, outcome: outcome as Outcome });
  }

  let users = 0;
  async function newUser(proxyLimit = 5) {
    users += 1;
    const userId = users;
    const actor = actorOf(userId);
    const account = (more: Partial<EventOf<'user'>>) => {
      const state = {
        ...{ id: userId, username: `max${userId}`, isAdmin: false, createdAt: new Date().toISOString() },
        ...{ suspension: null, version: 1, deleted: false },
        ...more,
      };
      const known = () => talpa.received(appliedSubject('proxies', 'user', String(userId))).length;
      const before = known();
      return talpa
        .publishStored(eventSubject('user', String(userId)), state)
        .then(() => until('the projection', () => known() > before));
    };
    await account({});
    // Billing has given it, but proxies has not applied it yet.
    await talpa.sql`
      insert into billing.subscriptions (user_id, tier, proxy_limit, version)
      values (${userId}, 'premium', ${proxyLimit}, 1)`;
    const label = () => `max-${userId}-${randomUUID().slice(0, 8)}`;
    const entries = (more: object = {}) => ({
      ...{ serverName: 'Server', serverIP: '127.0.0.1', adminPort: 40_120, customUrl: label() },
      ...more,
    });
    return {
      ...{ userId, actor, account, entries },
      create: async (more: object = {}, key?: string) =>
        talpa.call('POST /api/tunnel-configs', actor, entries(more), key),
      get: (id: number, by = actor) => talpa.call('GET /api/tunnel-configs/:id', by, { id }),
      update: (id: number, more: object, by = actor) =>
        talpa.call('PUT /api/tunnel-configs/:id', by, { id, ...entries(), ...more }),
      remove: (id: number, by = actor) => talpa.call('DELETE /api/tunnel-configs/:id', by, { id }),
      recreate: (id: number, by = actor) => talpa.call('POST /api/recreate-tunnel/:id', by, { id }),
      may: () => talpa.call('GET /api/user/subscription/can-create-proxy', actor, {}),
      audited: (action: string) => talpa.audited('proxies', userId, action),
      changedEvents: () => talpa.received(userChangedSubject('proxies', userId)).length,
    };
  }
  const uuidOf = async (id: number) => {
    const [row] = await talpa.sql<{ uuid: string }[]>`select uuid from proxies.proxies where id = ${id}`;
    return row?.uuid ?? '';
  };
  return {
    outcomes,
    waiting,
    newUser,
    uuidOf,
    /** What was published about a proxy. */
    published: async (id: number) =>
      talpa.received<EventOf<'proxy'>>(eventSubject('proxy', await uuidOf(id))),
    jobRequests: async (id: number) => {
      const proxyId = await uuidOf(id);
      return talpa
        .received<JobRequest>(commandSubject('tunnel-worker.enqueue'))
        .filter((request) => request.proxyId === proxyId);
    },
  };
}
