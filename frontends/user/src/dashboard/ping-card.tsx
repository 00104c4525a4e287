import { IconButton } from '@talpa/panel-kit/ui';
import { Activity, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './dashboard.module.css';
import { type Ping, qualityOf, usePing } from './ping.ts';
import { StatCard } from './stat-card.tsx';

const colors = { excellent: styles.good, good: styles.fair, slow: styles.poor };

/** The server's response time. While it is measured again the last result stays: it jumps for nobody. */
export function PingCard() {
  const t = useUserTexts();
  const { ping, last, measure } = usePing();
  const isMeasuring = ping.state === 'loading';
  const { value, hint, color } = useWords(isMeasuring && last ? last : ping);
  return (
    <StatCard
      icon={<Activity size={18} aria-hidden />}
      title={t('ping.title')}
      value={value}
      hint={
        <span role="status" className={color}>
          {hint}
        </span>
      }
      mark={
        <IconButton
          label={t('ping.refresh')}
          icon={<RefreshCw size={16} aria-hidden />}
          disabled={isMeasuring}
          loading={isMeasuring}
          onClick={measure}
        />
      }
    />
  );
}

function useWords(ping: Ping): { value: ReactNode; hint: string; color?: string | undefined } {
  const t = useUserTexts();
  if (ping.state === 'loading') return { value: '…', hint: t('ping.loading') };
  if (ping.state === 'error')
    return {
      value: <span className={styles.words}>{t('ping.error')}</span>,
      hint: t('ping.error.hint'),
      color: styles.poor,
    };
  const quality = qualityOf(ping.ms);
  return { value: t('ping.ms', { ms: ping.ms }), hint: t(`ping.${quality}`), color: colors[quality] };
}
