import { isDeepStrictEqual } from 'node:util';
import { type Entry, routes } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client } from '@talpa/test-kit/client';
import { faultsAtRest, type TalpaAtRest } from '@talpa/test-kit/invariants';
import { until } from '@talpa/test-kit/wait';
import { rowsOf } from './open-page.ts';
import { accuse, type Journal } from './outcome.ts';
import type { TestUser } from './test-user.ts';

/** Much longer than the longest pause between two tries. */
export const judgePatienceMs = 150_000;

/** Waits until everything has come to rest, and accuses whatever is not as it was acknowledged. */
export async function judge(
  talpa: TalpaAtRest,
  admin: Client,
  users: readonly TestUser[],
  journal: Journal,
): Promise<void> {
  const allServed = async () => {
    const unserved = (await Promise.all(users.map((person) => person.look()))).flat();
    if (unserved.length > 0) throw new Error(unserved.join(', '));
    return true;
  };
  await until('all users are served again', allServed, judgePatienceMs);
  await until(
    'no call may still have effects',
    async () => {
      await Promise.all(users.map((person) => person.settleDoubts()));
      return users.every((person) => !person.inDoubt);
    },
    judgePatienceMs,
  );
  for (const violation of await faultsAtRest(talpa, admin, judgePatienceMs)) accuse(journal, violation);
  // Lost is a fault, late is none.
  await until(
    'projections to have caught up',
    async () => (await Promise.all(users.map(isShownOnePlan))).every(Boolean),
    judgePatienceMs,
  ).catch(() => {});
  for (const person of users) await judgeUser(person, journal);
  await Promise.all(users.map((person) => judgePage(person, journal)));
  await until(
    'the audit trail is complete',
    async () => (await faultsInAudit(talpa, journal)).length === 0,
  ).catch(async () => {
    for (const violation of await faultsInAudit(talpa, journal)) accuse(journal, violation);
  });
}

/** Every acknowledged change is in the audit trail; no create is in it that nobody asked for. */
async function faultsInAudit(talpa: TalpaAtRest, journal: Journal): Promise<string[]> {
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  try {
    const rows = await sql<
      { action: string; requestId: string }[]
    >`select action, request_id from stats.audit`;
    const [letters] = await sql<{ count: number }[]>`select count(*) as count from stats.audit_dead_letters`;
    const faults = letters?.count ? [`${letters.count} audit rows could not be read`] : [];
    const stored = new Set(rows.map(({ action, requestId }) => `${action} ${requestId}`));
    for (const { route, requestId, endedAt } of journal.changed) {
      const { audit }: Entry = routes[route];
      if (audit && !stored.has(`${audit} ${requestId}`))
        faults.push(
          `${route} was acknowledged at ${new Date(endedAt).toISOString()} and is not in the audit trail: ${requestId}`,
        );
    }
    const create = 'POST /api/tunnel-configs';
    const created = rows.filter(({ action }) => action === 'proxy.create').length;
    const most = (journal.acknowledged[create] ?? 0) + (journal.open[create] ?? 0);
    if (created > most)
      faults.push(`${create} was asked for at most ${most} times, the audit trail has ${created}`);
    return faults;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** A page that was open all the time shows what is so, though nobody loads it anew. */
async function judgePage({ name, client, page }: TestUser, journal: Journal): Promise<void> {
  let rows: ReturnType<typeof rowsOf> = [];
  const isShown = async () => {
    rows = rowsOf(await client.call('GET /api/tunnel-configs', {}));
    return isDeepStrictEqual(page.shown, rows);
  };
  await until('the open page to show what is so', isShown).catch(() =>
    accuse(journal, `${name}: an open page shows ${JSON.stringify(page.shown)}, not ${JSON.stringify(rows)}`),
  );
  page.close();
}

/** Whether auth and proxies show the plan that billing has. */
async function isShownOnePlan({ client }: TestUser): Promise<boolean> {
  const { tier, proxyLimit } = await client.call('GET /api/user/subscription', {});
  const user = await client.call('GET /api/user', {});
  const quota = await client.call('GET /api/user/subscription/can-create-proxy', {});
  return user.subscriptionTier === tier && user.proxyLimit === proxyLimit && quota.limit === proxyLimit;
}

/** What one person has, sees and may do agrees with what was acknowledged to them. */
async function judgeUser(person: TestUser, journal: Journal): Promise<void> {
  const report = (violation: string) => accuse(journal, `${person.name}: ${violation}`);
  const { client } = person;
  const list = await client.call('GET /api/tunnel-configs', {});
  person.compare(list);
  for (const { id, tunnelId } of person.proxies) {
    const shown = list.find((proxy) => proxy.id === id);
    if (tunnelId && shown && shown.cfTunnelId !== tunnelId)
      report(`proxy ${id} has the tunnel ${shown.cfTunnelId}, not ${tunnelId}`);
  }
  const user = await client.call('GET /api/user', {});
  const subscription = await client.call('GET /api/user/subscription', {});
  const quota = await client.call('GET /api/user/subscription/can-create-proxy', {});
  if (!person.plan.possible.includes(subscription.tier))
    report(`the plan is ${subscription.tier}, not ${person.plan.possible}`);
  const limit = subscription.proxyLimit;
  if (user.proxyLimit !== limit || user.subscriptionTier !== subscription.tier)
    report('the user is shown another plan');
  if (!isDeepStrictEqual(quota, { canCreate: list.length < limit, limit, current: list.length }))
    report(`can-create says ${JSON.stringify(quota)} with ${list.length} of ${limit}`);
  for (const fault of await person.keys.faults()) report(fault);
  for (const [cookies, alive] of [
    [person.openSessions, true],
    [person.endedSessions, false],
  ] as const)
    for (const cookie of cookies) {
      const session = new Client(client.base);
      session.cookie = cookie;
      const { status } = await session.try('GET /api/user', {});
      if ((status === 200) !== alive)
        report(`a session that was ${alive ? 'opened' : 'ended'} answers ${status}`);
    }
}
