import type { CommandOf } from '@talpa/contracts';
import { commandSubject } from '@talpa/service-kit/bus/subjects';
import { withTransaction } from '@talpa/service-kit/database/transaction';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { useRuns } from '@talpa/test-kit/worker-runs';
import { expect, it } from 'vitest';
import { reportFaults } from './report.ts';
import { clearProblems, recordProblem } from './sql.ts';

const stores = useStores();
const worker = useRuns(stores, useProvider(stores));
const command = commandSubject('notifications.storeProviderFaults');

/** What a worker does every few seconds. */
const look = () => {
  const { sql } = worker;
  const tools = {
    ...{ service: 'tunnel-worker' as const, sql, outbox: { kick: () => {} } },
    cacheVersions: { read: async () => null, invalidate: async () => {} },
  };
  return reportFaults({ sql, transaction: (work) => withTransaction(tools, work) });
};
async function reports() {
  const rows = await worker.sql<{ payload: CommandOf<'notifications.storeProviderFaults'> }[]>`
    select payload from outbox where subject = ${command} order by id`;
  return rows.map(({ payload: { faults, version } }) => [version, ...faults.map(({ fault }) => fault)]);
}

it('the faults at the provider are reported when they have changed, all of them, and by one of many workers', async () => {
  const { sql } = worker;
  await look();
  expect(await reports()).toEqual([]);
  await recordProblem(sql, 'create tunnel', 'token_refused', 'text');
  await Promise.all([look(), look(), look()]);
  await recordProblem(sql, 'create tunnel', 'token_refused', 'another text');
  await look();
  await recordProblem(sql, 'create record', 'zone_full', 'text');
  await look();
  await clearProblems(sql, 'create tunnel', []);
  await look();
  await sql`update provider_problems set seen_at = seen_at - interval '16 minutes'`;
  await look();
  await look();
  expect(await reports()).toEqual([
    [1, 'token_refused'],
    [2, 'token_refused', 'zone_full'],
    [3, 'zone_full'],
    [4],
  ]);
});
