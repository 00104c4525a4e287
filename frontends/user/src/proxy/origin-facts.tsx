import type { OriginSignal, Proxy as ProxyConfig } from '@talpa/contracts';
import { formatCount, useLanguage } from '@talpa/panel-kit/core';
import { Tag } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import { Facts } from './facts.tsx';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';

const colors = { ok: 'success', unreachable: 'error', unknown: 'default' } as const;

/** Whether the panel behind the tunnel answers. */
export function OriginFacts(props: { readonly origin: OriginSignal | null; readonly proxy: ProxyConfig }) {
  const { origin, proxy } = props;
  const t = useUserTexts();
  const language = useLanguage();
  const { serverIP, adminPort } = proxy;
  const where = [
    t('proxy.origin.where'),
    <span key="where" className={styles.mono}>
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
  const { state, lastAnswerAt, lastStatus, lastUnreachableAt, failures } = origin;
  const time = (at: string | null) => (at ? <Moment at={at} /> : t('proxy.never'));
  return (
    <Facts
      facts={[
        where,
        [
          t('proxy.state'),
          <Tag key="state" color={colors[state]}>
            {t(`proxy.origin.${state}`)}
          </Tag>,
        ],
        [
          t('proxy.origin.lastAnswer'),
          <span key="answer">
            {time(lastAnswerAt)}
            {lastStatus !== null && ` (${lastStatus})`}
          </span>,
        ],
        [t('proxy.origin.lastUnreachable'), time(lastUnreachableAt)],
        [t('proxy.origin.failures'), formatCount(failures, language)],
      ]}
    />
  );
}
