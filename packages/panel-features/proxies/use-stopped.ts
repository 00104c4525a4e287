import type { ProxyConfig } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import { useProxyTexts } from './texts.ts';

/**
 * Why the open form of a proxy cannot be sent: its owner or the proxy itself was suspended meanwhile. Administrators
 * may change what is suspended. @param proxy null: a new one
 */
export function useStopped(proxy: ProxyConfig | null) {
  const t = useProxyTexts();
  const { isAdmin, suspension: own } = useUser();
  const suspension = own ?? proxy?.suspension;
  if (!suspension || isAdmin) return null;
  const isAccount = own !== null || proxy?.suspension?.of === 'user';
  return {
    title: t(isAccount ? 'stopped.user' : 'stopped.proxy'),
    text: t('stopped.text', { reason: suspension.reason }),
  };
}
