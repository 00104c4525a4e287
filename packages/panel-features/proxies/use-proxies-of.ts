import type { ProxyConfig } from '@talpa/contracts';
import {
  type ApiError,
  adminProxiesOfQuery,
  proxiesQuery,
  sharedProxiesQuery,
  useUser,
} from '@talpa/panel-kit/core';
import { type QueryKey, useQuery } from '@tanstack/react-query';

/** The proxies of a server that the reader may see. @param server with its owner */
export function useProxiesOf({ id, userId }: { readonly id: number; readonly userId: number }) {
  const { id: me, isAdmin } = useUser();
  const foreign = isAdmin ? adminProxiesOfQuery(userId) : sharedProxiesQuery;
  const query = useQuery<ProxyConfig[], ApiError, ProxyConfig[], QueryKey>(
    userId === me ? proxiesQuery : foreign,
  );
  return { ...query, data: query.data?.filter(({ serverId }) => serverId === id) };
}
