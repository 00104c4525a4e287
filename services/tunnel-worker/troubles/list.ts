import type { Routes, Verb } from '@talpa/contracts';
import type { WorkerContext } from '../app.ts';
import { listTroubles as read } from './sql.ts';

/** What an operator has to fix before the provider works. */
export const listTroubles: Verb<Routes['GET /api/admin/provider-troubles'], WorkerContext> = async ({
  sql,
}) => (await read(sql)).map((trouble) => ({ ...trouble, since: trouble.since.toISOString() }));
