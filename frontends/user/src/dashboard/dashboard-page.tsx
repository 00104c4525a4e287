import { canCreateQuery, formatCount, statsQuery, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Link, useNavigate } from '@talpa/panel-kit/router';
import { Button, Loading, Page, Progress, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable, Globe, Plus, Users } from 'lucide-react';
import { askToAddProxy } from '../open-add.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './dashboard.module.css';
import { PingCard } from './ping-card.tsx';
import { StatCard } from './stat-card.tsx';

/** The start page: what goes on, and the way to a new proxy. */
export function DashboardPage() {
  const t = useUserTexts();
  const user = useUser();
  const stats = useQuery(statsQuery);
  const quota = useQuery(canCreateQuery);
  return (
    <Page title={t('dashboard.welcome', { name: user.username })} subtitle={t('dashboard.subtitle')}>
      {stats.isPending || quota.isPending ? (
        <Loading text={t('dashboard.loading')} />
      ) : (
        <div className={styles.cards}>
          <Totals />
          <PingCard />
          <MyProxies />
        </div>
      )}
    </Page>
  );
}

/** Figures about everybody; zeros, marked as such, when they cannot be known. */
function Totals() {
  const t = useUserTexts();
  const language = useLanguage();
  const { data, isError } = useQuery(statsQuery);
  const mark = isError ? <Tag color="warning">{t('dashboard.stale')}</Tag> : null;
  return (
    <>
      <StatCard
        icon={<Globe size={18} aria-hidden />}
        title={t('dashboard.proxies')}
        value={formatCount(data?.activeProxies ?? 0, language)}
        hint={t('dashboard.proxies.hint', { count: data?.totalProxies ?? 0 })}
        mark={mark}
      />
      <StatCard
        icon={<Users size={18} aria-hidden />}
        title={t('dashboard.users')}
        value={formatCount(data?.totalUsers ?? 0, language)}
        hint={t('dashboard.users.hint')}
        mark={mark}
      />
    </>
  );
}

/** One's own proxies against the limit. */
function MyProxies() {
  const t = useUserTexts();
  const navigate = useNavigate();
  const { data, isError } = useQuery(canCreateQuery);
  const { canCreate, limit, current } = data ?? { canCreate: false, limit: 0, current: 0 };
  const add = () => {
    askToAddProxy();
    navigate('/tunnel-configuration');
  };
  return (
    <StatCard
      icon={<Cable size={18} aria-hidden />}
      title={t('dashboard.mine')}
      value={String(current)}
      hint={t('dashboard.mine.hint', { limit, available: Math.max(0, limit - current) })}
      mark={isError ? <Tag color="warning">{t('dashboard.stale')}</Tag> : null}
    >
      <Progress
        percent={limit === 0 ? 0 : Math.min(100, Math.round((current / limit) * 100))}
        showInfo={false}
        size="small"
        aria-label={t('dashboard.mine.usage')}
      />
      <Button type="primary" block icon={<Plus size={16} aria-hidden />} disabled={!canCreate} onClick={add}>
        {t('proxies.add')}
      </Button>
      {data && !canCreate && (
        <Link to="/subscription" className={styles.upgrade}>
          {t('proxies.upgrade')}
        </Link>
      )}
    </StatCard>
  );
}
