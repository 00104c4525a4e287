import { formatEuros, useLanguage } from '@talpa/panel-kit/core';
import type { Order } from './order.ts';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** What is ordered, what it costs, and what a credit does about it. */
export function OrderSummary({ plan, amount }: Order) {
  const t = usePaymentTexts();
  const language = useLanguage();
  const { priceCents, creditCents, isCredited } = amount;
  const euros = (cents: number) => formatEuros(cents, language);
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>
            {t('amount.plan', { name: plan.name })}
            <span className={styles.detail}>
              {t(priceCents > 0 ? 'amount.month' : 'amount.forever', { count: plan.proxyLimit })}
            </span>
          </dt>
          <dd>{euros(priceCents)}</dd>
        </div>
        {isCredited && (
          <div>
            <dt>{t('amount.credit')}</dt>
            <dd>{euros(-creditCents)}</dd>
          </div>
        )}
      </dl>
      {creditCents > 0 && !isCredited && (
        <p className={styles.aside}>{t('amount.unused', { credit: euros(creditCents) })}</p>
      )}
    </>
  );
}
