import type { ProxyConfig } from '@talpa/contracts';
import { ProxyAddress, ProxyStatus, useProxyTexts } from '@talpa/panel-features/proxy-status';
import { canCreateQuery, lazyPage, proxiesQuery, sharedProxiesQuery, useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { Button, EmptyState, ErrorCard, LazyPart, LinkButton, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Cable, CircleCheck, Plus, Server, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Added } from '../open-add.ts';
import { pages } from '../pages.ts';
import { useEmptyReason } from '../proxies/empty-reason.ts';
import { OwnLimitLink } from '../proxies/own-limit-link.tsx';
import { proxyPath } from '../proxy-path.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { attentionOf, byUrgency, needsCare } from './attention.ts';
import styles from './dashboard.module.css';
import { type NextStep, nextStepOf } from './next-step.ts';
import { AddButton, Quota } from './quota.tsx';
import type { AskedStep } from './row-dialogs.tsx';
import { StartFree } from './start-free.tsx';

const shownAtMost = 5;

const RowDialogs = lazyPage(() => import('./row-dialogs.tsx').then((module) => module.RowDialogs));

/** The user's own proxies against the limit, and how they are: those that need attention first. */
export function OwnProxies({
  onAdd,
  leadsToPlans,
}: {
  readonly onAdd: (what: Added) => void;
  /** False where a notice leads to the plans: its button is the page's main one then. */
  readonly leadsToPlans: boolean;
}) {
  const t = useUserTexts();
  const { data, error, isFetching, refetch } = useQuery(proxiesQuery);
  const quota = useQuery(canCreateQuery);
  const canCreate = quota.data?.canCreate ?? false;
  // The empty state has the way to the first one: what cannot be pressed yet stands below it.
  const isEmpty = data?.length === 0;
  const add = <AddButton onAdd={() => onAdd('proxy')} isMain={leadsToPlans && !isEmpty} />;
  const used = <Quota leadsToPlans={leadsToPlans}>{data && <Summary proxies={data} />}</Quota>;
  return (
    <Panel
      title={t('dashboard.mine')}
      icon={<Cable size={18} aria-hidden />}
      extra={isEmpty ? null : add}
      flush
      footer={
        isEmpty ? (
          <div className={styles.foot}>
            {used}
            {!canCreate && add}
          </div>
        ) : (
          data && <Link to={pages.proxies.path}>{t('dashboard.all', { count: data.length })}</Link>
        )
      }
    >
      {!isEmpty && used}
      {!data && (
        <ErrorCard
          title={t('proxies.loadFailed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {isEmpty && <NoProxy onAdd={onAdd} />}
      {data && data.length > 0 && <Rows proxies={data} />}
    </Panel>
  );
}

/** How many need attention. Above the page somebody suspended reads already that nothing can be done. */
function Summary({ proxies }: { readonly proxies: readonly ProxyConfig[] }) {
  const t = useUserTexts();
  const isSuspended = useUser().suspension !== null;
  if (isSuspended || proxies.length === 0) return null;
  const needy = proxies.filter(needsCare).length;
  const Icon = needy === 0 ? CircleCheck : TriangleAlert;
  return (
    <span className={styles.summary} data-good={needy === 0}>
      <Icon size={17} aria-hidden />
      {needy === 0 ? t('dashboard.allGood') : t('dashboard.needy', { count: needy })}
    </span>
  );
}

function Rows({ proxies }: { readonly proxies: readonly ProxyConfig[] }) {
  const [asked, setAsked] = useState<AskedStep | null>(null);
  return (
    <>
      <ul className={styles.rows}>
        {byUrgency(proxies)
          .slice(0, shownAtMost)
          .map((proxy) => (
            <Row key={proxy.id} proxy={proxy} onStep={(step) => setAsked({ step, proxy })} />
          ))}
      </ul>
      {asked && (
        <LazyPart>
          <RowDialogs asked={asked} proxies={proxies} />
        </LazyPart>
      )}
    </>
  );
}

function Row(props: { readonly proxy: ProxyConfig; readonly onStep: (step: NextStep) => void }) {
  const { proxy } = props;
  const t = useUserTexts();
  const words = useProxyTexts();
  const step = nextStepOf(proxy);
  const attention = attentionOf(proxy);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <Link className={styles.name} to={proxyPath(proxy.id)}>
          {proxy.serverName}
        </Link>
        <ProxyAddress proxy={proxy} />
      </div>
      {attention && <p className={styles.why}>{t(`attention.${attention}`)}</p>}
      <div className={styles.state}>
        <ProxyStatus proxy={proxy} />
        {step && (
          <Button
            size="small"
            aria-label={words('action', {
              action: words(`action.${step}`),
              name: proxy.serverName,
            })}
            onClick={() => props.onStep(step)}
          >
            {words(step === 'check' || step === 'recreate' ? `action.${step}.short` : `action.${step}`)}
          </Button>
        )}
      </div>
    </li>
  );
}

/** For somebody new: the way to the first proxy, at once with the free plan, or to another plan. */
function NoProxy({ onAdd }: { readonly onAdd: (what: Added) => void }) {
  const t = useUserTexts();
  const reason = useEmptyReason();
  const { data: shared } = useQuery(sharedProxiesQuery);
  const { subscriptionTier: tier } = useUser();
  const actions = {
    add: (
      <div className={styles.start}>
        <Button type="primary" icon={<Server size={16} aria-hidden />} onClick={() => onAdd('server')}>
          {t('servers.connect')}
        </Button>
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => onAdd('proxy')}>
          {t('dashboard.first.add')}
        </Button>
      </div>
    ),
    suspended: null,
    ask: <LinkButton to={pages.subscription.path}>{t('plan.show')}</LinkButton>,
    plan:
      tier === null ? (
        <StartFree onStarted={() => onAdd('server')} />
      ) : (
        <LinkButton to={pages.subscription.path}>{t('plan.choose')}</LinkButton>
      ),
    limit: <OwnLimitLink />,
  };
  return (
    <EmptyState
      icon={<Cable size={22} aria-hidden />}
      // A member has a proxy already.
      title={t(shared && shared.length > 0 ? 'dashboard.noneOwn' : 'dashboard.first')}
      {...(reason && { text: t(`proxies.empty.${reason}`), action: actions[reason] })}
    />
  );
}
