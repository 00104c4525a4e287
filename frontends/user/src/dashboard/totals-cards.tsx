import { formatCount, statsQuery, useLanguage } from '@talpa/panel-kit/core';
import { Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Globe, Users } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import { StatCard } from './stat-card.tsx';

/** Figures about all users; zeros, marked as such, when they cannot be known. */
export function TotalsCards() {
  const t = useUserTexts();
  const language = useLanguage();
  const { data, isError } = useQuery(statsQuery);
  const mark = isError || !data ? <Tag color="warning">{t('dashboard.stale')}</Tag> : null;
  return (
    <>
      <StatCard
        icon={<Globe size={18} aria-hidden />}
        title={t('dashboard.proxies')}
        value={formatCount(data?.activeProxies ?? 0, language)}
        hint={t('dashboard.proxies.hint', { count: data?.totalProxies ?? 0 })}
        beside={mark}
      />
      <StatCard
        icon={<Users size={18} aria-hidden />}
        title={t('dashboard.users')}
        value={formatCount(data?.totalUsers ?? 0, language)}
        hint={t('dashboard.users.hint')}
        beside={mark}
      />
    </>
  );
}
