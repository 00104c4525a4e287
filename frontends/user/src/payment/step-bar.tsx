import { formatEuros, useLanguage } from '@talpa/panel-kit/core';
import { Button } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import { activatesNow, type Payment } from './flow.ts';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

/** The total and the step's buttons, always in sight at the dialog's end. */
export function StepBar(props: {
  readonly payment: Payment;
  readonly dueCents: number;
  /** Of the form that a step's button sends. */
  readonly formId: string;
  /** The order cannot be placed now: nothing leads on. */
  readonly isStopped: boolean;
  readonly onBack: () => void;
  readonly onRetry: () => void;
  readonly onClose: () => void;
  readonly onAdd: (() => void) | null;
}) {
  const t = usePaymentTexts();
  const due = formatEuros(props.dueCents, useLanguage());
  const { step } = props.payment;
  const add = step === 'success' && activatesNow(props.payment) ? props.onAdd : null;
  const next = useNextLabel(props.payment, due);
  return (
    <div className={styles.bar}>
      <p className={styles.due}>
        {t('amount.due')} <strong>{due}</strong>
      </p>
      <div className={styles.buttons}>
        {step === 'details' && <Button onClick={props.onClose}>{t('cancel')}</Button>}
        {(step === 'payment' || step === 'confirmation') && (
          <Button onClick={props.onBack}>{t('back')}</Button>
        )}
        {next && (
          <Button
            type="primary"
            htmlType="submit"
            form={props.formId}
            disabled={props.isStopped}
            // The second click of a double click was meant for the step before.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {next}
          </Button>
        )}
        {step === 'error' && <Button onClick={props.onClose}>{t('close')}</Button>}
        {step === 'error' && (
          <Button type="primary" disabled={props.isStopped} onClick={props.onRetry}>
            {t('retry')}
          </Button>
        )}
        {step === 'success' && (
          <Button type={add ? 'default' : 'primary'} onClick={props.onClose}>
            {t('close')}
          </Button>
        )}
        {add && (
          <Button type="primary" onClick={add}>
            {t('success.add')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What the button says that leads on; null where the form is behind. */
function useNextLabel({ step, isFree, method }: Payment, due: string): ReactNode {
  const t = usePaymentTexts();
  if (step === 'details') return t(isFree ? 'review' : 'next');
  if (step === 'payment') return t(method === 'paypal' ? 'paypal.next' : 'review');
  if (step !== 'confirmation') return null;
  if (isFree) return t('pay.free');
  return (
    <span>
      {t('pay')} <span className={styles.orderDue}>{due}</span>
    </span>
  );
}
