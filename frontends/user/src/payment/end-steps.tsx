import { Alert, Spinner } from '@talpa/panel-kit/ui';
import { BankAccount } from './bank-account.tsx';
import { isTransfer, type Payment } from './flow.ts';
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
  const isPaid = !payment.isFree && !isTransfer(payment);
  return {
    processing: t(payment.isFree ? 'processing.free' : 'processing'),
    success: t(isPaid ? 'success.paid' : 'success.ordered'),
    successText: isTransfer(payment)
      ? t(`transfer.${payment.activation}.${purpose}`)
      : t(`success.${purpose}`),
    error: t('error.title'),
    errorText: t('error.text'),
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
  const { success, successText } = useEndTexts(props);
  const { payment } = props;
  return (
    <div className={styles.step}>
      <Alert type="success" showIcon title={success} description={successText} />
      {isTransfer(payment) && <BankAccount reference={payment.reference} />}
    </div>
  );
}

const reasons = ['funds', 'declined', 'technical'] as const;

/** It did not, and why that may be. */
export function ErrorStep() {
  const t = usePaymentTexts();
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
