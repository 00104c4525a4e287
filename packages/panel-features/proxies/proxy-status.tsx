import type { ProxyConfig, Server } from '@talpa/contracts';
import { absenceOf } from '@talpa/contracts/status';
import { useAgo, useStaleSince } from '@talpa/panel-kit/core';
import { Tag, Tooltip } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import { LostSince } from './lost-since.tsx';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

const colors = { active: 'success', inactive: 'default', pending: 'processing', error: 'error' } as const;

type Shown = Pick<
  ProxyConfig,
  'status' | 'statusReason' | 'changePending' | 'suspension' | 'paused' | 'tunnelHealth' | 'tunnelHealthAt'
>;

/** Whether a proxy's status says something else than how its server's connector is. */
export const hasOwnStatus = ({ status, statusReason, changePending, suspension, paused }: Shown): boolean =>
  [statusReason, suspension, paused].some((one) => one !== null) ||
  changePending ||
  status === 'pending' ||
  status === 'error';

/** A server's status: that of its connector. */
export const ServerStatus = ({ server }: { readonly server: Server }) => (
  <ProxyStatus
    proxy={{ ...server, statusReason: null, changePending: false, suspension: null, paused: null }}
  />
);

/** A proxy's status as a word, with what explains it: a suspension, a pause, a reason, when it was seen, that it is old. */
export function ProxyStatus({ proxy }: { readonly proxy: Shown }) {
  const staleSince = useStaleSince();
  return (
    <span className={`${styles.status} ${staleSince ? styles.stale : ''}`}>
      <span className={styles.tags}>
        {proxy.paused && !proxy.suspension && <Paused />}
        <Word proxy={proxy} />
      </span>
      <Note staleSince={staleSince} />
    </span>
  );
}

/** Beside the connector's state: the one says nothing of the other. */
function Paused() {
  const t = useProxyTexts();
  return (
    <Explained why={t('paused.explained')}>
      <Tag color="warning">{t('status.paused')}</Tag>
    </Explained>
  );
}

function Word({ proxy }: { readonly proxy: Shown }) {
  const t = useProxyTexts();
  const { suspension, statusReason, tunnelHealth } = proxy;
  if (suspension)
    return (
      <Explained why={t(`suspended.${suspension.of}`, { reason: suspension.reason })}>
        <Tag color="error">{t('status.suspended')}</Tag>
      </Explained>
    );
  const tag = (
    <Tag color={proxy.changePending ? 'processing' : colors[proxy.status]}>
      <Label proxy={proxy} />
    </Tag>
  );
  if (statusReason) return <Explained why={t(`reason.${statusReason}`)}>{tag}</Explained>;
  const isLimited = proxy.status === 'active' && tunnelHealth === 'degraded';
  return isLimited ? <Explained why={t('tunnel.degraded')}>{tag}</Explained> : tag;
}

/** „Noch nicht installiert“ and „Getrennt seit …“ are two states of a tunnel that is not connected. */
function Label({ proxy }: { readonly proxy: Shown }) {
  const t = useProxyTexts();
  if (proxy.changePending) return t('status.changePending');
  const absence = absenceOf(proxy);
  if (absence === 'lost') return <LostSince at={proxy.tunnelHealthAt} />;
  return t(absence === 'never' ? 'status.never' : `status.${proxy.status}`);
}

/** How old what is shown is, where the live stream is interrupted. */
function Note({ staleSince }: { readonly staleSince: string | null }) {
  const t = useProxyTexts();
  const ago = useAgo();
  if (!staleSince) return null;
  return (
    <Explained why={t('status.stale.text')}>
      <span className={styles.statusNote}>{t('status.stale', { ago: ago(staleSince) })}</span>
    </Explained>
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
