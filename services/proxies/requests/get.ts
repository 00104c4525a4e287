import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { describeLog } from './log.ts';

/** How a proxy's requests are logged. */
export const getRequestLog: Verb<Routes['GET /api/tunnel-configs/:id/request-log'], ProxiesContext> = async (
  context,
  { id },
) => describeLog(context, await findProxy(context.reads, id, context));
