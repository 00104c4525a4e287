import type { ProxyConfig } from '@talpa/contracts';
import { call, enrolmentKeysQuery, useLanguage } from '@talpa/panel-kit/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useProxyTexts } from './texts.ts';

/** A key lives an hour: what is shown again has some of it left. In ms. */
const freshMs = 40 * 60_000;
const longestName = 60;

/** The proxy whose connector a key installs; null: it makes one of its own for the machine. */
export type KeyFor = Pick<ProxyConfig, 'id' | 'serverName' | 'cfTunnelId'> | null;

/** Of a key. Who opens the dialog again sees the same command: they may have pasted it elsewhere. */
export const enrolmentKeyOf = (proxy: KeyFor) => [
  'enrolment-key',
  proxy?.id ?? null,
  proxy?.cfTunnelId ?? null,
];

/** A key that works once, made when it is asked for first. */
export function useEnrolmentKey(proxy: KeyFor) {
  const t = useProxyTexts();
  const language = useLanguage();
  const client = useQueryClient();
  const name = proxy ? proxy.serverName.slice(0, longestName).trim() : t('connect.title');
  return useQuery({
    queryKey: enrolmentKeyOf(proxy),
    queryFn: async () => {
      const created = await call(
        'POST /api/enrolment-keys',
        { name, proxyId: proxy?.id ?? null },
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
