import { invalidateAfter, panelConfig, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { Button } from '@talpa/panel-kit/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { newOrderId } from '../payment/order.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './dashboard.module.css';

/** Takes the free plan in one click and goes on to the first proxy; beside it the way to all plans. */
export function StartFree({ onStarted }: { readonly onStarted: () => void }) {
  const t = useUserTexts();
  const toast = useToast();
  const client = useQueryClient();
  const [id] = useState(newOrderId);
  const { mutate, isPending } = useApiMutation('POST /api/user/subscription', {
    headers: { 'idempotency-key': id },
  });
  const start = () =>
    mutate(
      // Only from no plan: another tab may have taken a larger one.
      { planId: 'free', expected: { tier: null, expiry: null } },
      {
        onSuccess: onStarted,
        onError: async ({ code, message }) => {
          if (code !== 'same_plan' && code !== 'edit_conflict')
            return toast({ title: t('plan.notChanged'), text: message, tone: 'error' });
          // Another tab was quicker: a plan is there.
          await invalidateAfter(client, 'POST /api/user/subscription');
          onStarted();
        },
      },
    );
  const { terms } = panelConfig().links;
  return (
    <div className={styles.start}>
      <Button type="primary" loading={isPending} onClick={start}>
        {t('dashboard.start')}
      </Button>
      <Link to={pages.subscription.path}>{t('plan.choose')}</Link>
      {terms && (
        <p className={styles.startTerms}>
          <a href={terms} target="_blank" rel="noreferrer">
            {t('dashboard.start.terms')}
          </a>
        </p>
      )}
    </div>
  );
}
