import { Facts } from '@talpa/panel-kit/ui';
import { lastDigits } from './card.ts';
import { ConsequencesInShort } from './consequence-list.tsx';
import { OrderSummary } from './order-summary.tsx';
import styles from './payment.module.css';
import type { StepProps } from './step.ts';
import { StepForm } from './step-form.tsx';
import { usePaymentTexts } from './texts.ts';

/** The order as a whole, before it is placed. */
export function ConfirmationStep({ order, payment, formId, onNext }: StepProps) {
  const t = usePaymentTexts();
  const { isFree, method, card, reference, activation } = payment;
  const facts = [
    [
      t('confirm.method'),
      method === 'credit' ? t('confirm.credit', { digits: lastDigits(card.number) }) : t(`method.${method}`),
    ],
    ...(method === 'bank'
      ? ([
          [t('bank.reference'), reference],
          [t('bank.activation'), t(`bank.${activation}`)],
        ] as const)
      : []),
  ] as const;
  return (
    <StepForm id={formId} onSubmit={onNext}>
      <OrderSummary {...order} />
      {isFree && <p className={styles.aside}>{t('confirm.free')}</p>}
      {!isFree && <Facts facts={facts} as="framed" />}
      <ConsequencesInShort {...order} />
    </StepForm>
  );
}
