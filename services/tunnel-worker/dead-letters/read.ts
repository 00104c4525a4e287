import type { Routes, Verb } from '@talpa/contracts';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { WorkerContext } from '../context.ts';
import { selectDeadLetters } from './list.ts';

const shownAtMost = 100;

/** What was given up, oldest first, with the names of the proxies. */
export const readDeadLetters: Verb<Routes['GET /api/admin/dead-letters'], WorkerContext> = async (
  context,
) => {
  const letters = await selectDeadLetters(context.sql, shownAtMost);
  const proxyIds = letters.map(({ proxyId }) => proxyId);
  const named =
    proxyIds.length > 0 ? await callInternal(context.nc, 'proxies.nameProxies', { proxyIds }, context) : [];
  const byId = new Map(named.map((one) => [one.proxyId, one]));
  return letters.map(({ proxyId, failures, detail, deadLetterAt }) => {
    const proxy = byId.get(proxyId);
    return {
      ...{ proxyId, failures, detail, deadLetterAt },
      proxy: proxy ? { id: proxy.id, serverName: proxy.serverName, deleted: proxy.deleted } : null,
    };
  });
};
