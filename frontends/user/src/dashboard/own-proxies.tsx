import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { proxiesQuery } from '@talpa/panel-kit/core';
import { ProxyAddress, ProxyStatus } from '@talpa/panel-kit/proxy-status';
import { Link } from '@talpa/panel-kit/router';
import { Button, EmptyState, ErrorCard, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable, CircleCheck, Plus } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import { attentionOf, byUrgency } from './attention.ts';
import styles from './dashboard.module.css';

const shownAtMost = 5;

/** How one's own proxies are, those that need care first; for somebody new the way to the first one. */
export function OwnProxies({
  canCreate,
  onAdd,
}: {
  readonly canCreate: boolean;
  readonly onAdd: () => void;
}) {
  const t = useUserTexts();
  const { data, error, isFetching, refetch } = useQuery(proxiesQuery);
  if (!data)
    return (
      <Panel title={t('proxies.list')}>
        <ErrorCard
          title={t('proxies.loadFailed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      </Panel>
    );
  if (data.length === 0) return <FirstProxy canCreate={canCreate} onAdd={onAdd} />;
  const needy = data.filter((proxy) => attentionOf(proxy) !== null).length;
  return (
    <Panel
      title={t('proxies.list')}
      flush
      extra={
        <Link to="/tunnel-configuration" className={styles.all}>
          {t('dashboard.all', { count: data.length })}
        </Link>
      }
    >
      <p className={styles.summary} data-good={needy === 0}>
        {needy === 0 && <CircleCheck size={17} aria-hidden />}
        {needy === 0 ? t('dashboard.allGood') : t('dashboard.needy', { count: needy })}
      </p>
      <ul className={styles.rows}>
        {byUrgency(data)
          .slice(0, shownAtMost)
          .map((proxy) => (
            <Row key={proxy.id} proxy={proxy} />
          ))}
      </ul>
    </Panel>
  );
}

function Row({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useUserTexts();
  const attention = attentionOf(proxy);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <Link className={styles.name} to={`/tunnel-configuration/${proxy.id}`}>
          {proxy.serverName}
        </Link>
        <ProxyAddress proxy={proxy} />
      </div>
      {attention && <p className={styles.why}>{t(`attention.${attention}`)}</p>}
      <ProxyStatus proxy={proxy} />
    </li>
  );
}

function FirstProxy({ canCreate, onAdd }: { readonly canCreate: boolean; readonly onAdd: () => void }) {
  const t = useUserTexts();
  return (
    <Panel>
      <EmptyState
        icon={<Cable size={22} aria-hidden />}
        title={t('dashboard.first')}
        text={canCreate ? t('proxies.empty.add') : t('proxies.empty.upgrade')}
        action={
          canCreate ? (
            <Button type="primary" icon={<Plus size={16} aria-hidden />} onClick={onAdd}>
              {t('dashboard.first.add')}
            </Button>
          ) : (
            <Link to="/subscription" className={styles.toPlans}>
              {t('dashboard.first.plan')}
            </Link>
          )
        }
      />
    </Panel>
  );
}
