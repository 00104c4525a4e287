import type { ProxyConfig, Server } from '@talpa/contracts';
import { call, enrolmentKeysQuery, useLanguage } from '@talpa/panel-kit/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useProxyTexts } from './texts.ts';

/** A key lives an hour: what is shown again has some of it left. In ms. */
const freshMs = 40 * 60_000;
const longestName = 60;

/** The proxy or server whose connector a key installs; null: the machine becomes a server of its own. */
export type KeyFor =
  | Pick<ProxyConfig, 'id' | 'serverName' | 'cfTunnelId'>
  | Pick<Server, 'id' | 'name' | 'cfTunnelId'>
  | null;
export const isOfProxy = (whose: KeyFor) => whose !== null && 'serverName' in whose;

/** Of a key. Who opens the dialog again sees the same command: they may have pasted it elsewhere. */
export const enrolmentKeyOf = (whose: KeyFor) => [
  'enrolment-key',
  isOfProxy(whose) ? 'proxy' : 'server',
  whose?.id ?? null,
  whose?.cfTunnelId ?? null,
];

/** A key that works once, made when it is asked for first. */
export function useEnrolmentKey(whose: KeyFor) {
  const t = useProxyTexts();
  const language = useLanguage();
  const client = useQueryClient();
  const name = whose && ('serverName' in whose ? whose.serverName : whose.name);
  const id = whose?.id ?? null;
  return useQuery({
    queryKey: enrolmentKeyOf(whose),
    queryFn: async () => {
      const created = await call(
        'POST /api/enrolment-keys',
        {
          name: name?.slice(0, longestName).trim() ?? t('connect.title'),
          ...(isOfProxy(whose) ? { proxyId: id } : { serverId: id }),
        },
        { language },
      );
      void client.invalidateQueries(enrolmentKeysQuery);
      return created;
    },
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  });
}
