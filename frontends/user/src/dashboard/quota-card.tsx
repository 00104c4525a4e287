import { canCreateQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { Button, Progress, Tag, Tooltip } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable, Plus } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './dashboard.module.css';
import { StatCard } from './stat-card.tsx';

/** One's own proxies against the limit, and the way to another one, or to a larger plan. */
export function QuotaCard({ onAdd }: { readonly onAdd: () => void }) {
  const t = useUserTexts();
  const { data, isError } = useQuery(canCreateQuery);
  const { canCreate, limit, current } = data ?? { canCreate: false, limit: 0, current: 0 };
  const isFull = data !== undefined && current >= limit;
  const why = isFull
    ? limit === 0
      ? t('proxies.empty.upgrade')
      : t('proxies.limitReached', { count: limit })
    : undefined;
  return (
    <StatCard
      icon={<Cable size={18} aria-hidden />}
      title={t('dashboard.mine')}
      value={String(current)}
      beside={
        <Tooltip title={why}>
          <Button type="primary" icon={<Plus size={16} aria-hidden />} disabled={!canCreate} onClick={onAdd}>
            {t('proxies.add')}
          </Button>
        </Tooltip>
      }
      hint={
        <span className={styles.quota}>
          {t('dashboard.mine.hint', { limit, available: Math.max(0, limit - current) })}
          {isFull && <Link to="/subscription">{t('proxies.upgrade')}</Link>}
        </span>
      }
      mark={isError || !data ? <Tag color="warning">{t('dashboard.stale')}</Tag> : null}
    >
      <Progress
        percent={limit === 0 ? 0 : Math.min(100, Math.round((current / limit) * 100))}
        showInfo={false}
        status="normal"
        size="small"
        aria-label={t('dashboard.mine.usage')}
      />
    </StatCard>
  );
}
