import type { OriginSignal, ProxyConfig } from '@talpa/contracts';
import { formatCount, useLanguage } from '@talpa/panel-kit/core';
import { Facts, Tag } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';

const colors = { ok: 'success', unreachable: 'error', unknown: 'default', old: 'default' } as const;

/** Whether the panel behind the tunnel answers; without a connector nobody can know. */
export function OriginFacts(props: {
  readonly origin: OriginSignal | null;
  readonly proxy: ProxyConfig;
  readonly isConnected: boolean;
}) {
  const { origin, proxy, isConnected } = props;
  const t = useUserTexts();
  const language = useLanguage();
  const { serverIP, adminPort, originProtocol } = proxy;
  const scheme = originProtocol === 'https' ? 'https://' : '';
  const where = [
    t('proxy.origin.where'),
    <span key="where" className={styles.mono}>
      {scheme}
      {serverIP.includes(':') ? `[${serverIP}]` : serverIP}:{adminPort}
    </span>,
  ] as const;
  if (!origin)
    return (
      <>
        <Facts facts={[where]} />
        <p className={styles.note}>{t('proxy.notAvailable')}</p>
      </>
    );
  const { state, lastResponseAt, lastStatus, lastUnreachableAt, failures } = origin;
  const known = isConnected || state === 'unknown' ? state : 'old';
  const time = (at: string | null) => (at ? <Moment at={at} /> : t('proxy.never'));
  const met = [
    [
      t('proxy.origin.lastAnswer'),
      <span key="answer">
        {time(lastResponseAt)}
        {lastStatus !== null && ` ${t('proxy.origin.code', { status: lastStatus })}`}
      </span>,
    ],
    [t('proxy.origin.lastUnreachable'), time(lastUnreachableAt)],
    [t('proxy.origin.failures'), formatCount(failures, language)],
  ] as const;
  return (
    <Facts
      facts={[
        where,
        [
          t('proxy.state'),
          <Tag key="state" color={colors[known]}>
            {t(`proxy.origin.${known}`)}
          </Tag>,
        ],
        // Nobody has asked it yet.
        ...(state === 'unknown' ? [] : met),
      ]}
    />
  );
}
