import type { Plan } from '@talpa/contracts/plans';
import { plans } from '@talpa/contracts/plans';
import { canCreateQuery, subscriptionQuery, toast, useChange } from '@talpa/panel-kit/core';
import { Alert, Button, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PaymentDialog, type Purpose } from '../payment/payment-dialog.tsx';
import type { Paid } from '../payment/use-payment.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { CurrentPlan } from './current-plan.tsx';
import { PlanCard } from './plan-card.tsx';
import { planEndOf } from './plan-end.ts';
import { PlanEndAlert } from './plan-notice.tsx';
import styles from './subscription.module.css';

interface Order {
  readonly plan: Plan;
  readonly purpose: Purpose;
}

/** One's own plan, and the way to another one. */
export function SubscriptionPage() {
  const t = useUserTexts();
  const subscription = useQuery(subscriptionQuery);
  const quota = useQuery(canCreateQuery);
  const [order, setOrder] = useState<Order | null>(null);
  const { mutate, isPending } = useChange('POST /api/user/subscription');
  const end = subscription.data ? planEndOf(subscription.data, new Date()) : null;
  const select = (plan: Plan) => {
    if (plan.id !== subscription.data?.tier) return setOrder({ plan, purpose: 'change' });
    toast({ title: t('plan.current'), text: t('plan.same') });
  };
  const take = (paid: Paid) => {
    setOrder(null);
    if (!order || paid === 'ordered') return;
    const { plan, purpose } = order;
    mutate(
      { planId: plan.id },
      {
        onSuccess: () =>
          toast({
            title: t(`plan.${purpose}.done`),
            text: t(`plan.${purpose}.doneText`, { name: plan.name }),
            tone: 'success',
          }),
        onError: ({ message }) =>
          toast({ title: t('plan.failed'), text: message || t('plan.error'), tone: 'error' }),
      },
    );
  };
  const isLoading = subscription.isPending || quota.isPending;
  return (
    <Page title={t('plan.title')} subtitle={t('plan.subtitle')}>
      {isLoading && <Loading />}
      {end && (
        <PlanEndAlert
          end={end}
          action={
            <Button
              type="primary"
              disabled={isPending}
              onClick={() => setOrder({ plan: end.plan, purpose: 'renewal' })}
            >
              {t(`plan.renew.${end.state}`)}
            </Button>
          }
        />
      )}
      {!isLoading && subscription.isError && (
        <Panel>
          <ErrorCard
            title={t('plan.error')}
            error={subscription.error}
            retry={() => void subscription.refetch()}
            retrying={subscription.isFetching}
          />
        </Panel>
      )}
      {!isLoading && subscription.data && (
        <CurrentPlan subscription={subscription.data} used={quota.data?.current ?? null} />
      )}
      {!isLoading && (
        <>
          <ul className={styles.grid} aria-label={t('plan.all')}>
            {plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                isCurrent={plan.id === subscription.data?.tier}
                disabled={isPending || !subscription.data}
                onSelect={() => select(plan)}
              />
            ))}
          </ul>
          <Notes />
        </>
      )}
      <PaymentDialog
        plan={order?.plan ?? null}
        purpose={order?.purpose ?? 'change'}
        current={subscription.data?.tier ?? null}
        onPaid={take}
        onCancel={() => setOrder(null)}
      />
    </Page>
  );
}

function Notes() {
  const t = useUserTexts();
  return (
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
  );
}
