import { planOf } from '@talpa/contracts/plans';
import { formatDate, useLanguage } from '@talpa/panel-kit/core';
import { Alert, Spinner } from '@talpa/panel-kit/ui';
import { CircleCheck } from 'lucide-react';
import { BankAccount } from './bank-account.tsx';
import { type End, isTransfer, type Payment } from './flow.ts';
import type { Order } from './order.ts';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

export interface EndProps {
  readonly order: Order;
  readonly payment: Payment;
}

/** What is said of a payment while it is processed and at its end. */
export function useEndTexts({ order: { purpose }, payment }: EndProps) {
  const t = usePaymentTexts();
  const language = useLanguage();
  const isPaid = !payment.isFree && !isTransfer(payment);
  return {
    processing: t(payment.isFree ? 'processing.free' : 'processing'),
    success: t(isPaid ? 'success.paid' : 'success.ordered'),
    error: t('error.title'),
    textOf: (end: End): string => {
      if (end.step === 'error') return end.message ?? t('error.text');
      if (!end.subscription?.tier) return t(`transfer.afterReceipt.${purpose}`);
      const { tier, expiry } = end.subscription;
      const date = expiry && formatDate(expiry, language);
      const given = t(date ? `success.${purpose}` : 'success.forever', {
        name: planOf(tier).name,
        date: date ?? '',
      });
      return isTransfer(payment) ? `${given} ${t('transfer.now')}` : given;
    },
  };
}

/** Nothing to do but wait; it cannot be closed. */
export function ProcessingStep(props: EndProps) {
  const { processing } = useEndTexts(props);
  return (
    <div className={styles.waiting} role="status">
      <Spinner size={28} />
      <p className={styles.text}>{processing}</p>
    </div>
  );
}

/** It went through; a transfer is still to be made. */
export function SuccessStep(props: EndProps) {
  const { success, textOf } = useEndTexts(props);
  const { payment } = props;
  return (
    <div className={styles.step}>
      <div className={styles.done} role="status">
        <CircleCheck size={40} aria-hidden />
        <strong>{success}</strong>
        {payment.end && <span>{textOf(payment.end)}</span>}
      </div>
      {isTransfer(payment) && <BankAccount reference={payment.reference} />}
    </div>
  );
}

const reasons = ['funds', 'declined', 'technical'] as const;

/** It did not, and why that may be, or what the server said. */
export function ErrorStep({ payment: { end } }: EndProps) {
  const t = usePaymentTexts();
  if (end?.step === 'error' && end.message !== null)
    return (
      <Alert
        type="error"
        showIcon
        title={t('error.server')}
        description={
          <>
            <p className={styles.text}>{end.message}</p>
            <p className={styles.text}>{t('error.once')}</p>
          </>
        }
      />
    );
  return (
    <Alert
      type="error"
      showIcon
      title={t('error.text')}
      description={
        <>
          {t('error.reasons')}
          <ul className={styles.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{t(`error.reason.${reason}`)}</li>
            ))}
          </ul>
        </>
      }
    />
  );
}
