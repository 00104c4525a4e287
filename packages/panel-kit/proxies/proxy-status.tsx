import type { Proxy as ProxyConfig } from '@talpa/contracts';
import type { ReactNode } from 'react';
import { Tag, Tooltip } from '../ui.ts';
import { useProxyTexts } from './texts.ts';

const colors = { active: 'success', inactive: 'default', pending: 'processing', error: 'error' } as const;

/** A proxy's status as a word, with the reason where there is one. A suspension is all that matters. */
export function ProxyStatus({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const { suspension, statusReason, tunnelHealth } = proxy;
  if (suspension)
    return (
      <Explained why={t(`suspended.${suspension.of}`, { reason: suspension.reason })}>
        <Tag color="error">{t('status.suspended')}</Tag>
      </Explained>
    );
  const label = proxy.changePending ? t('status.changePending') : t(`status.${proxy.status}`);
  const tag = <Tag color={proxy.changePending ? 'processing' : colors[proxy.status]}>{label}</Tag>;
  if (statusReason) return <Explained why={t(`reason.${statusReason}`)}>{tag}</Explained>;
  const isLimited = proxy.status === 'active' && tunnelHealth === 'degraded';
  return isLimited ? <Explained why={t('tunnel.degraded')}>{tag}</Explained> : tag;
}

function Explained({ why, children }: { readonly why: string; readonly children: ReactNode }) {
  return (
    <Tooltip title={why}>
      {/* Reached by the keyboard, so that the reason is too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <span tabIndex={0}>{children}</span>
    </Tooltip>
  );
}
