import { formatDate, formatEuros, useLanguage } from '@talpa/panel-kit/core';
import { Facts } from '@talpa/panel-kit/ui';
import type { Order } from './order.ts';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** What is ordered, what it costs, and what a credit does about it. */
export function OrderSummary({ plan, amount, validUntil }: Order) {
  const t = usePaymentTexts();
  const language = useLanguage();
  const { priceCents, creditCents, isCredited } = amount;
  const euros = (cents: number) => formatEuros(cents, language);
  return (
    <>
      <Facts
        as="framed"
        facts={[
          [
            t('amount.plan', { name: plan.name }),
            euros(priceCents),
            t(priceCents === 0 ? 'amount.forever' : validUntil ? 'amount.until' : 'amount.month', {
              count: plan.proxyLimit,
              date: (validUntil && formatDate(validUntil, language)) ?? '',
            }),
          ],
          [t('amount.credit'), isCredited ? euros(-creditCents) : null],
        ]}
      />
      {priceCents > 0 && creditCents > 0 && !isCredited && (
        <p className={styles.aside}>{t('amount.unused', { credit: euros(creditCents) })}</p>
      )}
    </>
  );
}
