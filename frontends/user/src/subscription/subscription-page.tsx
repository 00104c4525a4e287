import { type Plan, plans } from '@talpa/contracts/plans';
import {
  canCreateQuery,
  invalidateAfter,
  subscriptionQuery,
  useApiMutation,
  useHeadOf,
  useToast,
  useUser,
} from '@talpa/panel-kit/core';
import { Alert, Button, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { pages } from '../pages.ts';
import { newOrder, type Order, type Purpose } from '../payment/order.ts';
import { PaymentDialog } from '../payment/payment-dialog.tsx';
import { type Refusal, refusalOf } from '../payment/refusal.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { CurrentPlan } from './current-plan.tsx';
import { PlanCard, type PlanRole } from './plan-card.tsx';
import { planEndOf } from './plan-end.ts';
import { PlanEndAlert } from './plan-notice.tsx';
import { isRecommended } from './recommended.ts';
import styles from './subscription.module.css';

/** The user's plan, and the way to another one. */
export function SubscriptionPage() {
  const t = useUserTexts();
  const head = useHeadOf(pages.subscription);
  const subscription = useQuery(subscriptionQuery);
  const quota = useQuery(canCreateQuery);
  const isSuspended = useUser().suspension !== null;
  const tier = subscription.data?.tier ?? null;
  const [order, setOrder] = useState<Order | null>(null);
  const { change, isChanging } = usePlanChange();
  const currentPlan = useRef<HTMLDivElement>(null);
  const end = subscription.data ? planEndOf(subscription.data, new Date()) : null;
  const now = { isSuspended, tier };
  const showRefusal = useRefusalToast();
  const select = (plan: Plan, purpose: Purpose) => {
    const refusal = refusalOf({ plan, purpose, from: tier }, now);
    if (refusal) showRefusal(refusal);
    else setOrder(newOrder(plan, purpose, tier, subscription.data?.expiry ?? null));
  };
  const roleOf = (plan: Plan): PlanRole => {
    if (plan.id === tier) return 'current';
    // The notice has the page's main button while a plan ends, and nobody chooses while they are suspended.
    return end === null && !isSuspended && isRecommended(plan, tier) ? 'recommended' : 'other';
  };
  const isLoading = subscription.isPending || quota.isPending;
  const isClosed = isChanging || isSuspended || !subscription.data;
  return (
    <Page {...head}>
      {isLoading && <Loading />}
      {end && (
        <PlanEndAlert
          end={end}
          action={
            <Button type="primary" disabled={isClosed} onClick={() => select(end.plan, 'renewal')}>
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
        <div ref={currentPlan} tabIndex={-1} className={styles.current}>
          <CurrentPlan subscription={subscription.data} used={quota.data?.current ?? null} />
        </div>
      )}
      {!isLoading && (
        <>
          <ul className={styles.grid} aria-label={t('plan.all')}>
            {plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                role={roleOf(plan)}
                disabled={isClosed}
                onSelect={() => select(plan, 'change')}
              />
            ))}
          </ul>
          <Notes />
        </>
      )}
      <PaymentDialog
        order={order}
        refusal={order && refusalOf(order, now)}
        onRefused={showRefusal}
        onPaid={change}
        onClose={() => setOrder(null)}
        focusElsewhere={() => currentPlan.current?.focus()}
      />
    </Page>
  );
}

/** Says why an order cannot be placed. */
function useRefusalToast() {
  const t = useUserTexts();
  const toast = useToast();
  const texts = {
    suspended: { title: t('plan.suspended'), text: t('plan.suspended.text') },
    same: { title: t('plan.current'), text: t('plan.same') },
    outdated: { title: t('plan.outdated'), text: t('plan.outdated.text') },
  };
  return (refusal: Refusal) => void toast(texts[refusal]);
}

/** Changes the plan once it is paid for, and says what has come of it. */
function usePlanChange() {
  const t = useUserTexts();
  const toast = useToast();
  const showRefusal = useRefusalToast();
  const client = useQueryClient();
  const { mutate } = useApiMutation('POST /api/user/subscription');
  // Set with the dialog's closing, before the library says that it is pending: a button must not take the focus
  // only to lose it.
  const [isChanging, setChanging] = useState(false);
  const change = ({ plan, purpose }: Order) => {
    setChanging(true);
    mutate(
      { planId: plan.id },
      {
        onSuccess: () => {
          setChanging(false);
          toast({
            title: t(`plan.${purpose}.done`),
            text: t(`plan.${purpose}.doneText`, { name: plan.name }),
            tone: 'success',
          });
        },
        onError: ({ code, message }) => {
          setChanging(false);
          if (code !== 'same_plan')
            return toast({ title: t('plan.failed'), text: message || t('plan.notChanged'), tone: 'error' });
          // Another tab was quicker.
          showRefusal('same');
          void invalidateAfter(client, 'POST /api/user/subscription');
        },
      },
    );
  };
  return { change, isChanging };
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
