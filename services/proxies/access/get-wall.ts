import type { Routes, Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesContext } from '../context.ts';
import { findWalled, refuseSuspended, urlOf, wayIn } from './walled.ts';

/** What somebody sees before a code carries their sign-in to a wall. To those who may not visit it must look as if there were none. */
export const getWall: Verb<Routes['GET /api/walls/:host'], ProxiesContext> = async (
  { actor, reads, settings },
  { host },
) => {
  refuseSuspended(actor);
  const proxy = await findWalled(reads, host);
  const way = proxy && (await wayIn(reads, proxy, actor));
  if (!proxy || !way) throw new AppError('visit_refused');
  const { serverName, ownerName } = proxy;
  return {
    url: urlOf(host, settings),
    serverName,
    ownerName,
    as: way.asAdmin ? 'administrator' : way.method,
  };
};
