import { randomUUID } from 'node:crypto';
import type { EventOf, ProviderFault } from '@talpa/contracts';
import { appliedSubject, commandSubject, eventSubject } from '@talpa/service-kit/bus/subjects';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';
import { notifyFaults } from './notify.ts';

const talpa = useServices(useStores(), ['notifications']);
const alertAfter = 120;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
let [users, versions] = [0, 0];

async function newUser(isAdmin: boolean) {
  users += 1;
  const id = users;
  const user: EventOf<'user'> = {
    ...{ id, username: `u-${randomUUID().slice(0, 12)}`, isAdmin, createdAt: ago(0), suspension: null },
    notifications: { email: false, system: true, maintenance: true },
    ...{ version: 1, deleted: false },
  };
  await talpa.publishStored(eventSubject('user', String(id)), user);
  const applied = () => talpa.received(appliedSubject('notifications', 'user', String(id))).length;
  await until('the projection', () => applied() > 0);
  return async () => {
    const inbox = await talpa.call('GET /api/user/notifications', actorOf(id), {});
    return inbox.toReversed().map(({ kind, params }) => ('fault' in params ? params.fault : kind));
  };
}
/** What the worker orders. @param version another one than the next */
async function report(faults: readonly ProviderFault[], secondsAgo = alertAfter + 1, version = versions + 1) {
  const since = ago(secondsAgo);
  const order = { faults: faults.map((fault) => ({ fault, since })), version };
  await talpa.publishStored(commandSubject('notifications.storeProviderFaults'), order);
  versions = Math.max(versions, version);
  await until('the report', async () => {
    const [row] = await talpa.sql`select version from notifications.provider_fault_reports`;
    return row?.version === versions;
  });
}
/** What the service does every few seconds. */
const look = () =>
  talpa.sql.begin(async (sql) => {
    await sql`set local search_path to notifications, public`;
    await notifyFaults({ sql, invalidate: () => {} } as never, alertAfter);
  });
const passTime = () => talpa.sql`
  update notifications.provider_faults set gone_at = gone_at - ${alertAfter} * interval '1 second'`;

beforeEach(async () => {
  await talpa.sql`delete from notifications.provider_faults`;
});

it('administrators are notified once of each fault that lasts, and once when none is left; others are not', async () => {
  const [admin, other, user] = [await newUser(true), await newUser(true), await newUser(false)];
  await report(['token_refused'], 10);
  await look();
  expect(await admin()).toEqual([]);
  await talpa.sql`update notifications.provider_faults set since = since - interval '2 minutes'`;
  await look();
  await look();
  expect([await admin(), await other(), await user()]).toEqual([['token_refused'], ['token_refused'], []]);
  await report(['token_refused', 'zone_full']);
  await look();
  await report(['zone_full']);
  await passTime();
  await look();
  expect(await admin()).toEqual(['token_refused', 'zone_full']);
  await report([]);
  await passTime();
  await look();
  await look();
  expect(await admin()).toEqual(['token_refused', 'zone_full', 'provider_recovered']);
});

it('a fault that comes and goes makes one notification, and one that is over at once makes none', async () => {
  const admin = await newUser(true);
  await report(['zone_full'], 10);
  await report([]);
  await passTime();
  await look();
  expect(await admin()).toEqual([]);
  await report(['zone_full']);
  await look();
  for (let times = 0; times < 3; times += 1) {
    await report([]);
    await look();
    await report(['zone_full']);
    await look();
  }
  // It is there: no time that passes ends it.
  await passTime();
  await look();
  expect(await admin()).toEqual(['zone_full']);
});

it('an older report that comes later changes nothing', async () => {
  const admin = await newUser(true);
  await report(['zone_full']);
  const before = versions;
  await report([], 0, before - 1);
  await report(['zone_full'], 0);
  await passTime();
  await look();
  expect(await admin()).toEqual(['zone_full']);
});
