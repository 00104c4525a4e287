import type { Routes, Totals, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { StatsContext } from '../context.ts';

/** Totals of proxies and users, unless the operator keeps them from users. */
export const getTotals: Verb<Routes['GET /api/system/stats'], StatsContext> = async ({ reads, settings }) => {
  // Also from administrators here: what they get is cached for all.
  if (!settings.SHOW_TOTALS) throw new AppError('forbidden');
  return readTotals(reads);
};

/** @throws AppError `service_unavailable` while they are not known */
export async function readTotals(sql: AnySql): Promise<Totals> {
  const rows = await sql<{ name: string; value: number; known: boolean }[]>`
    select name, value, known from totals, totals_state`;
  if (!rows.every(({ known }) => known)) throw new AppError('service_unavailable');
  const total = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  return {
    totalProxies: total('proxies'),
    activeProxies: total('activeProxies'),
    totalUsers: total('users'),
  };
}
