import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy, publicProxy } from './row.ts';

/** One proxy. */
export const getProxy: Verb<Routes['GET /api/tunnel-configs/:id'], ProxiesContext> = async (
  { reads, actor },
  { id },
) => publicProxy(await findProxy(reads, id, actor));
