import type { ProxyConfig } from '@talpa/contracts';
import { formatTime, useAgo, useLanguage, useStaleSince } from '@talpa/panel-kit/core';
import { Tag, Tooltip } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

const colors = { active: 'success', inactive: 'default', pending: 'processing', error: 'error' } as const;

/** A proxy's status as a word, with what explains it: a suspension, a reason, when it was seen, that it is old. */
export function ProxyStatus({ proxy }: { readonly proxy: ProxyConfig }) {
  const staleSince = useStaleSince();
  return (
    <span className={`${styles.status} ${staleSince ? styles.stale : ''}`}>
      <Word proxy={proxy} />
      <Note proxy={proxy} staleSince={staleSince} />
    </span>
  );
}

function Word({ proxy }: { readonly proxy: ProxyConfig }) {
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

/** How old what is shown is comes before when the connector was seen: the one may have changed the other. */
function Note(props: { readonly proxy: ProxyConfig; readonly staleSince: string | null }) {
  const t = useProxyTexts();
  const language = useLanguage();
  const ago = useAgo();
  const { tunnelHealth, tunnelHealthAt, status } = props.proxy;
  if (props.staleSince)
    return (
      <Explained why={t('status.stale.text')}>
        <span className={styles.statusNote}>{t('status.stale', { ago: ago(props.staleSince) })}</span>
      </Explained>
    );
  if (status !== 'inactive' || tunnelHealth !== 'down' || !tunnelHealthAt) return null;
  return (
    <time
      className={styles.statusNote}
      dateTime={tunnelHealthAt}
      title={formatTime(tunnelHealthAt, language)}
    >
      {t('status.lastSeen', { ago: ago(tunnelHealthAt) })}
    </time>
  );
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
