import type { Plan } from '@talpa/contracts/plans';
import { formatEuros, useLanguage } from '@talpa/panel-kit/core';
import type { Amount } from './amount.ts';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** The amount due, and how it comes about. */
export function AmountTable({ plan, amount }: { readonly plan: Plan; readonly amount: Amount }) {
  const t = usePaymentTexts();
  const language = useLanguage();
  const { priceCents, creditCents, isCredited, dueCents } = amount;
  return (
    <div>
      <dl className={styles.amount}>
        <dt>{t('amount.plan', { name: plan.name })}</dt>
        <dd>{formatEuros(priceCents, language)}</dd>
        {creditCents > 0 && (
          <>
            <dt>
              {t('amount.credit')}{' '}
              {!isCredited && <span className={styles.unused}>{t('amount.unused')}</span>}
            </dt>
            <dd data-unused={!isCredited}>{formatEuros(-creditCents, language)}</dd>
          </>
        )}
        <dt className={styles.due}>{t('amount.due')}</dt>
        <dd className={styles.due}>{formatEuros(dueCents, language)}</dd>
      </dl>
      {creditCents > 0 && (
        <p className={styles.why}>{isCredited ? t('amount.why.credited') : t('amount.why.unused')}</p>
      )}
    </div>
  );
}
