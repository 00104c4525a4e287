import { proxiesQuery, sharedProxiesQuery } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';

/** The proxies that an API key of the user can reach: their own, then those that they are a member of. */
export function useReachableProxies() {
  const { data: own = [] } = useQuery(proxiesQuery);
  const { data: shared = [] } = useQuery(sharedProxiesQuery);
  return { own, shared };
}
