import type { Routes, Verb } from '@talpa/contracts';
import type { StatsContext } from '../context.ts';

/** How much room there is, where somebody has said what to look at. */
export const getStorage: Verb<Routes['GET /api/admin/storage'], StatsContext> = async ({ diskSpace }) =>
  diskSpace();
