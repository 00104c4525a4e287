import type { Routes, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../context.ts';
import { listProviderProblems as read } from './sql.ts';

/** What an operator has to fix before the provider works. */
export const listProviderProblems: Verb<Routes['GET /api/admin/provider-problems'], WorkerContext> = async ({
  sql,
}) => (await read(sql)).map((problem) => ({ ...problem, since: problem.since.toISOString() }));
