import type { ProxyConfig } from '@talpa/contracts';
import { isConnected } from '@talpa/contracts/status';
import { formatDate, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useProxyTexts } from './texts.ts';

/**
 * Says on a proxy's page that it is suspended, since when and why; nothing otherwise. Whose account is
 * suspended reads so above every page.
 */
export function SuspendedAlert({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const language = useLanguage();
  const me = useUser();
  const { suspension } = proxy;
  if (!suspension || (suspension.of === 'user' && proxy.userId === me.id)) return null;
  const since = formatDate(suspension.since, language) ?? '';
  return (
    <Alert
      type="error"
      showIcon
      title={t(`suspended.title.${suspension.of}`, { since })}
      description={
        <>
          <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
            {t('suspended.reason', { reason: suspension.reason })}
          </p>
          <p style={{ margin: '4px 0 0' }}>
            {t(isConnected(proxy.tunnelHealth ?? null) ? 'suspended.effect.connected' : 'suspended.effect')}
            {!me.isAdmin && ` ${t('suspended.allowed')}`}
          </p>
        </>
      }
    />
  );
}
