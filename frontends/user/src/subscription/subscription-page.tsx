import type { Plan } from '@talpa/contracts/plans';
import { plans } from '@talpa/contracts/plans';
import { canCreateQuery, subscriptionQuery, toast, useChange } from '@talpa/panel-kit/core';
import { Alert, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PaymentDialog } from '../payment/payment-dialog.tsx';
import type { Paid } from '../payment/use-payment.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { CurrentPlan } from './current-plan.tsx';
import { PlanCard } from './plan-card.tsx';
import styles from './subscription.module.css';

/** One's own plan, and the way to another one. */
export function SubscriptionPage() {
  const t = useUserTexts();
  const subscription = useQuery(subscriptionQuery);
  const quota = useQuery(canCreateQuery);
  const [chosen, setChosen] = useState<Plan | null>(null);
  const { mutate, isPending } = useChange('POST /api/user/subscription');
  const select = (plan: Plan) => {
    if (plan.id !== subscription.data?.tier) return setChosen(plan);
    toast({ title: t('plan.current'), text: t('plan.same') });
  };
  const take = (paid: Paid) => {
    setChosen(null);
    if (!chosen || paid === 'ordered') return;
    mutate(
      { planId: chosen.id },
      {
        onSuccess: () =>
          toast({
            title: t('plan.changed'),
            text: t('plan.changedText', { name: chosen.name }),
            tone: 'success',
          }),
        onError: ({ message }) =>
          toast({ title: t('plan.failed'), text: message || t('plan.error'), tone: 'error' }),
      },
    );
  };
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
      <PaymentDialog
        plan={chosen}
        current={subscription.data?.tier ?? null}
        onPaid={take}
        onCancel={() => setChosen(null)}
      />
    </Page>
  );
}
