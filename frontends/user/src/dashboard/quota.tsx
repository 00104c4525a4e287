import { canCreateQuery, useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { Button, Progress, Tag, Tooltip } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { pages } from '../pages.ts';
import { choosesPlans } from '../subscription/ask-administrator.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './dashboard.module.css';

const nothing = { canCreate: false, limit: 0, current: 0 };

/** How many of the plan's proxies are used and how many are left, with the way to a larger plan when none is. */
export function Quota({
  leadsToPlans,
  children,
}: {
  readonly leadsToPlans: boolean;
  readonly children: ReactNode;
}) {
  const t = useUserTexts();
  const { data, isError } = useQuery(canCreateQuery);
  const { limit, current } = data ?? nothing;
  const isSuspended = useUser().suspension !== null;
  const available = Math.max(0, limit - current);
  return (
    <p className={styles.quota}>
      <strong className={styles.used}>{t('dashboard.mine.used', { current, limit })}</strong>
      {!isSuspended && <span>{t('dashboard.mine.available', { available })}</span>}
      {/* An empty one would look like a divider. */}
      {current > 0 && limit > 0 && (
        <Progress
          className={styles.usage ?? ''}
          percent={Math.min(100, Math.round((current / limit) * 100))}
          showInfo={false}
          status="normal"
          size="small"
          aria-label={t('dashboard.mine.usage')}
        />
      )}
      {(isError || !data) && <Tag color="warning">{t('dashboard.stale')}</Tag>}
      {leadsToPlans && current > 0 && available === 0 && (
        <Link to={pages.subscription.path} className={styles.upgrade}>
          {t('proxies.upgrade')}
        </Link>
      )}
      {children}
    </p>
  );
}

/** Adds a proxy. While the plan allows no more it is disabled and says why. */
export function AddButton({ onAdd, isMain }: { readonly onAdd: () => void; readonly isMain: boolean }) {
  const t = useUserTexts();
  const { data } = useQuery(canCreateQuery);
  const { canCreate, limit, current } = data ?? nothing;
  const isFull = data !== undefined && current >= limit;
  const why =
    limit === 0
      ? t(choosesPlans() ? 'proxies.empty.plan' : 'proxies.empty.ask')
      : t('proxies.limitReached', { count: limit });
  return (
    <Tooltip title={isFull ? why : undefined}>
      <Button
        type={isMain ? 'primary' : 'default'}
        icon={<Plus size={16} aria-hidden />}
        disabled={!canCreate}
        onClick={onAdd}
      >
        {t('proxies.add')}
      </Button>
    </Tooltip>
  );
}
