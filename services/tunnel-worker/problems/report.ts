import { isDeepStrictEqual } from 'node:util';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { listProviderProblems } from './sql.ts';

interface Report {
  readonly faults: readonly string[];
  readonly version: number;
}

/** Orders notifications to know which faults there are, whenever they have changed: whichever worker met them. */
export async function reportFaults({
  sql,
  transaction,
}: Pick<ServiceBase, 'sql' | 'transaction'>): Promise<void> {
  if (await isReported(sql)) return;
  await transaction(async (tx) => {
    const [last] = await tx.sql<Report[]>`select faults, version from reported_faults for update`;
    const problems = await listProviderProblems(tx.sql);
    const faults = problems.map(({ fault }) => fault).toSorted();
    if (!last || isDeepStrictEqual(faults, last.faults)) return;
    const version = last.version + 1;
    await tx.sql`update reported_faults set faults = ${tx.sql.array(faults, 25)}, version = ${version}`;
    await tx.command('notifications.storeProviderFaults', {
      faults: problems.map(({ fault, since }) => ({ fault, since: since.toISOString() })),
      version,
    });
  });
}

async function isReported(sql: AnySql): Promise<boolean> {
  const [last] = await sql<Report[]>`select faults, version from reported_faults`;
  const problems = await listProviderProblems(sql);
  return isDeepStrictEqual(problems.map(({ fault }) => fault).toSorted(), last?.faults);
}
