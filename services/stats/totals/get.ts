import type { Routes, Verb } from '@talpa/contracts';
import type { StatsContext } from '../app.ts';

/** Totals of proxies and users. */
export const getTotals: Verb<Routes['GET /api/system/stats'], StatsContext> = async ({ sql }) => {
  const rows = await sql<{ name: string; value: number }[]>`select name, value from totals`;
  const total = (name: string) => rows.find((row) => row.name === name)?.value ?? 0;
  return {
    totalProxies: total('proxies'),
    activeProxies: total('activeProxies'),
    totalUsers: total('users'),
  };
};
