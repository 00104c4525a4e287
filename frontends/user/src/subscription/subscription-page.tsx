import type { Plan } from '@talpa/contracts/plans';
import { plans } from '@talpa/contracts/plans';
import {
  canCreateQuery,
  formatEuros,
  subscriptionQuery,
  toast,
  useChange,
  useLanguage,
} from '@talpa/panel-kit/core';
import { ConfirmDialog } from '@talpa/panel-kit/form';
import { useKept } from '@talpa/panel-kit/proxies';
import { Alert, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useUserTexts } from '../texts/user-texts.ts';
import { CurrentPlan } from './current-plan.tsx';
import { PlanCard } from './plan-card.tsx';
import styles from './subscription.module.css';

/** One's own plan, and the way to another one. */
export function SubscriptionPage() {
  const t = useUserTexts();
  const language = useLanguage();
  const subscription = useQuery(subscriptionQuery);
  const quota = useQuery(canCreateQuery);
  const [chosen, setChosen] = useState<Plan | null>(null);
  const kept = useKept(chosen);
  const { mutate, isPending } = useChange('POST /api/user/subscription');
  const select = (plan: Plan) => {
    if (plan.id !== subscription.data?.tier) return setChosen(plan);
    toast({ title: t('plan.current'), text: t('plan.same') });
  };
  const confirm = () =>
    kept &&
    mutate(
      { planId: kept.id },
      {
        onSuccess: () => {
          setChosen(null);
          toast({
            title: t('plan.changed'),
            text: t('plan.changedText', { name: kept.name }),
            tone: 'success',
          });
        },
        onError: ({ message }) => {
          setChosen(null);
          toast({ title: t('plan.failed'), text: message || t('plan.error'), tone: 'error' });
        },
      },
    );
  if (subscription.isPending || quota.isPending) return <Loading />;
  return (
    <Page title={t('plan.title')} subtitle={t('plan.subtitle')}>
      {subscription.isError ? (
        <Panel>
          <ErrorCard
            title={t('plan.error')}
            error={subscription.error}
            retry={() => void subscription.refetch()}
            retrying={subscription.isFetching}
          />
        </Panel>
      ) : (
        <CurrentPlan subscription={subscription.data} used={quota.data?.current ?? 0} />
      )}
      <ul className={styles.grid} aria-label={t('plan.all')}>
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            isCurrent={plan.id === subscription.data?.tier}
            disabled={isPending}
            onSelect={() => select(plan)}
          />
        ))}
      </ul>
      <Alert
        type="info"
        showIcon
        title={t('plan.notes')}
        description={
          <ul className={styles.notes}>
            <li>{t('plan.note.once')}</li>
            <li>{t('plan.note.keep')}</li>
            <li>{t('plan.note.demo')}</li>
          </ul>
        }
      />
      <ConfirmDialog
        open={chosen !== null}
        title={t('plan.confirm.title', { name: kept?.name ?? '' })}
        confirm={t('plan.confirm')}
        pending={isPending}
        onConfirm={() => confirm()}
        onCancel={() => setChosen(null)}
      >
        {t('plan.confirm.text', {
          price: formatEuros(kept?.priceCents ?? 0, language),
          count: kept?.proxyLimit ?? 0,
        })}
      </ConfirmDialog>
    </Page>
  );
}
