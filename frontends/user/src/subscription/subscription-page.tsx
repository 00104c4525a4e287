import { isLarger, type Plan, plans, type Tier } from '@talpa/contracts/plans';
import { tunnelProviders } from '@talpa/contracts/tunnel-providers';
import {
  type ApiError,
  canCreateQuery,
  invalidateAfter,
  panelConfig,
  subscriptionQuery,
  useApiMutation,
  useHeadOf,
  useToast,
  useUser,
} from '@talpa/panel-kit/core';
import { useNavigate } from '@talpa/panel-kit/router';
import { Alert, Button, ErrorCard, Loading, Page, Panel } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { askToAdd } from '../open-add.ts';
import { pages } from '../pages.ts';
import { consequencesOf, type Offers } from '../payment/consequences.ts';
import type { Answer } from '../payment/flow.ts';
import { newOrder, type Order, type Purpose } from '../payment/order.ts';
import { PaymentDialog } from '../payment/payment-dialog.tsx';
import { type Refusal, refusalOf } from '../payment/refusal.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { AskAdministrator, choosesPlans } from './ask-administrator.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { PlanCard, type PlanChoice, type PlanRole } from './plan-card.tsx';
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
  const { placeOrder, mayBePlaced } = usePlaceOrder(order);
  const showDone = useDoneToast();
  const navigate = useNavigate();
  const currentPlan = useRef<HTMLDivElement>(null);
  const end = subscription.data ? planEndOf(subscription.data, new Date()) : null;
  const now = { isSuspended, tier };
  const showRefusal = useRefusalToast();
  const select = (plan: Plan, purpose: Purpose) => {
    const refusal = refusalOf({ plan, purpose, from: tier }, now);
    if (refusal) return showRefusal(refusal);
    const expiry = subscription.data?.expiry ?? null;
    const used = quota.data?.current ?? 0;
    const consequences = purpose === 'change' ? consequencesOf(plan, { tier, expiry, used }, offers()) : [];
    setOrder(newOrder(plan, purpose, tier, expiry, consequences));
  };
  const roleOf = (plan: Plan): PlanRole => {
    if (plan.id === tier) return 'current';
    // The notice has the page's main button while a plan ends, and nobody chooses while they are suspended.
    return end === null && !isSuspended && isRecommended(plan, tier) ? 'recommended' : 'other';
  };
  const isLoading = subscription.isPending || quota.isPending;
  const isClosed = isSuspended || !subscription.data;
  return (
    <Page {...head}>
      {isLoading && <Loading />}
      {end && (
        <PlanEndAlert
          end={end}
          action={
            choosesPlans() && (
              <Button type="primary" disabled={isClosed} onClick={() => select(end.plan, 'renewal')}>
                {t(`plan.renew.${end.state}`)}
              </Button>
            )
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
          {!choosesPlans() && <AskAdministrator />}
          <ul className={styles.grid} aria-label={t('plan.all')}>
            {plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                role={roleOf(plan)}
                choice={choosesPlans() ? choiceOf(plan, tier) : null}
                disabled={isClosed}
                onSelect={() => select(plan, 'change')}
              />
            ))}
          </ul>
          {choosesPlans() && <Notes />}
        </>
      )}
      <PaymentDialog
        order={order}
        refusal={order && refusalOf(order, now)}
        onRefused={(refusal) => {
          // The order whose response was lost has arrived.
          if (order && refusal === 'same' && mayBePlaced(order)) showDone(order);
          else showRefusal(refusal);
        }}
        placeOrder={placeOrder}
        onPaid={showDone}
        onAdd={
          quota.data?.canCreate
            ? () => {
                askToAdd('proxy');
                navigate(pages.proxies.path);
              }
            : null
        }
        onClose={() => setOrder(null)}
        focusElsewhere={() => currentPlan.current?.focus()}
      />
    </Page>
  );
}

const choiceOf = (plan: Plan, tier: Tier | null): PlanChoice => {
  if (tier === null) return 'select';
  return isLarger(plan, tier) ? 'upgrade' : 'downgrade';
};

/** What this installation offers beside proxies. */
const offers = (): Offers => {
  const { tunnelProvider, gamePorts, requestLogDays } = panelConfig();
  return { customDomains: tunnelProviders[tunnelProvider].customDomains, gamePorts, requestLogDays };
};

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

/** Says that the plan has begun. */
function useDoneToast() {
  const t = useUserTexts();
  const toast = useToast();
  return ({ plan, purpose }: Order) =>
    void toast({
      title: t(`plan.${purpose}.done`),
      text: t(`plan.${purpose}.doneText`, { name: plan.name }),
      tone: 'success',
    });
}

/** Has the server give the plan that is ordered. It does so once, however often the order is sent. */
function usePlaceOrder(order: Order | null) {
  const t = useUserTexts();
  const client = useQueryClient();
  const { mutateAsync } = useApiMutation(
    'POST /api/user/subscription',
    order ? { headers: { 'idempotency-key': order.id } } : {},
  );
  const failed = useRef<string | null>(null);
  const placeOrder = ({ id, plan, from, fromExpiry }: Order): Promise<Answer> =>
    mutateAsync({ planId: plan.id, expected: { tier: from, expiry: fromExpiry } }).then(
      (subscription) => ({ kind: 'given', subscription }) as const,
      async ({ code, message }: ApiError) => {
        if (code !== 'same_plan' && code !== 'edit_conflict') {
          failed.current = id;
          return { kind: 'failed', message: message || t('plan.notChanged') } as const;
        }
        // Another tab was quicker.
        await invalidateAfter(client, 'POST /api/user/subscription');
        return { kind: 'refused', refusal: code === 'same_plan' ? 'same' : 'outdated' } as const;
      },
    );
  return { placeOrder, mayBePlaced: ({ id }: Order) => failed.current === id };
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
