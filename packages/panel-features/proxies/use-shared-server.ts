import type { ProxyConfig } from '@talpa/contracts';
import { serverQuery } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';

/** The server of a proxy, and whether its token answers for other proxies, too. @param proxy null: none is asked for */
export function useSharedServer(proxy: Pick<ProxyConfig, 'serverId'> | null) {
  const { data: server, isLoading } = useQuery({
    ...serverQuery(proxy?.serverId ?? 0),
    enabled: proxy !== null,
  });
  // One that the reader may not see is there, too.
  const isShared = server !== undefined && (server.role === null || server.proxyIds.length > 1);
  return { server, isShared, isLoading };
}
