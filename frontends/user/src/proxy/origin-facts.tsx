import type { OriginSignal } from '@talpa/contracts';
import { formatCount, formatTime, useLanguage } from '@talpa/panel-kit/core';
import { Tag } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import { Facts } from './facts.tsx';
import styles from './proxy.module.css';

const colors = { ok: 'success', unreachable: 'error', unknown: 'default' } as const;

/** Whether the panel behind the tunnel answers. */
export function OriginFacts({ origin }: { readonly origin: OriginSignal | null }) {
  const t = useUserTexts();
  const language = useLanguage();
  if (!origin) return <p className={styles.note}>{t('proxy.notAvailable')}</p>;
  const { state, lastAnswerAt, lastStatus, lastUnreachableAt, failures } = origin;
  const time = (at: string | null) => (at ? formatTime(at, language) : t('proxy.never'));
  return (
    <Facts
      facts={[
        [
          t('proxy.state'),
          <Tag key="state" color={colors[state]}>
            {t(`proxy.origin.${state}`)}
          </Tag>,
        ],
        [
          t('proxy.origin.lastAnswer'),
          lastStatus === null ? time(lastAnswerAt) : `${time(lastAnswerAt)} (${lastStatus})`,
        ],
        [t('proxy.origin.lastUnreachable'), time(lastUnreachableAt)],
        [t('proxy.origin.failures'), formatCount(failures, language)],
      ]}
    />
  );
}
