import type { ProxyConfig } from '@talpa/contracts';
import { tunnelProviders } from '@talpa/contracts/tunnel-providers';
import {
  adminProxiesQuery,
  call,
  panelConfig,
  proxiesQuery,
  proxyQuery,
  useIsLive,
} from '@talpa/panel-kit/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';

/** How often the panel polls the provider while a user waits for their connector without live events, in ms. */
const askMs = 3_000;

/**
 * A proxy as it is now, for as long as somebody watches it. Cloudflare sends nothing by itself, and a live
 * stream may be down: then the provider is asked, and whatever shows the proxy is fetched again when it differs.
 */
export function useWatchedProxy(given: ProxyConfig): {
  readonly proxy: ProxyConfig;
  /** It has been deleted; `proxy` is what was known last. */
  readonly isGone: boolean;
} {
  const client = useQueryClient();
  const live = useIsLive();
  const query = proxyQuery(given.id);
  const { data: proxy = given, error } = useQuery({
    ...query,
    placeholderData: given,
    // What has no tunnel yet the provider cannot be asked for.
    refetchInterval: ({ state }) => (!live && state.data?.cfTunnelId === null ? askMs : false),
  });
  const isNotified = live && tunnelProviders[panelConfig().tunnelProvider].reportsConnectors;
  useQuery({
    queryKey: ['/api/tunnel-status', given.id, 'watched'],
    queryFn: async ({ signal }) => {
      const response = await call('GET /api/tunnel-status/:id', { id: given.id }, { signal });
      if (client.getQueryData(query.queryKey)?.tunnelHealth !== response.status)
        await Promise.all([proxiesQuery, adminProxiesQuery].map((list) => client.invalidateQueries(list)));
      return response;
    },
    enabled: !isNotified && proxy.cfTunnelId !== null && proxy.status !== 'active',
    refetchInterval: askMs,
    gcTime: 0,
  });
  return { proxy, isGone: error?.status === 404 };
}
