import type { ProxyConfig } from '@talpa/contracts';
import { useProxyTexts } from './texts.ts';

/** What lists of proxies can be sorted and filtered by; see the contract's `proxySorts` and `proxyStatuses`. */
export const proxySorts = ['createdAt', 'serverName'] as const;
export const proxyStatuses = [
  'active',
  'inactive',
  'pending',
  'error',
] as const satisfies readonly ProxyConfig['status'][];

/** The same as choices, in words. */
export function useProxyChoices() {
  const t = useProxyTexts();
  return {
    search: t('list.search'),
    status: {
      name: 'status',
      label: t('list.status'),
      all: t('list.everyStatus'),
      options: proxyStatuses.map((value) => ({ value, label: t(`status.${value}`) })),
    },
    orders: proxySorts
      .flatMap((sort) => [sort, `-${sort}`] as const)
      .map((value) => ({ value, label: t(`order.${value}`) })),
  };
}
