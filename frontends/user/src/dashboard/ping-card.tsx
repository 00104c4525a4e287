import { IconButton } from '@talpa/panel-kit/ui';
import { Activity, RefreshCw } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './dashboard.module.css';
import { qualityOf, usePing } from './ping.ts';
import { StatCard } from './stat-card.tsx';

const colors = { excellent: styles.good, good: styles.fair, slow: styles.poor };

/** The server's answer time. */
export function PingCard() {
  const t = useUserTexts();
  const { ping, measure } = usePing();
  const refresh = (
    <IconButton
      label={t('ping.refresh')}
      icon={<RefreshCw size={16} aria-hidden />}
      disabled={ping.state === 'loading'}
      onClick={measure}
    />
  );
  const card = (value: string, hint: string, color?: string) => (
    <StatCard
      icon={<Activity size={18} aria-hidden />}
      title={t('ping.title')}
      value={value}
      hint={
        <span role="status" className={color}>
          {hint}
        </span>
      }
      mark={refresh}
    />
  );
  if (ping.state === 'loading') return card('…', t('ping.loading'));
  if (ping.state === 'error') return card(t('ping.error'), t('ping.error.hint'), styles.poor);
  const quality = qualityOf(ping.ms);
  return card(t('ping.ms', { ms: ping.ms }), t(`ping.${quality}`), colors[quality]);
}
