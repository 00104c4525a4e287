import { AmountTable } from './amount-table.tsx';
import { lastDigits } from './card.ts';
import styles from './payment.module.css';
import type { StepProps } from './step.ts';
import { StepButtons } from './step-buttons.tsx';
import { usePaymentTexts } from './texts.ts';

/** The order as a whole, before it is paid. */
export function ConfirmationStep({
  plan,
  amount,
  payment,
  onNext,
  onBack,
}: StepProps & { readonly onBack: () => void }) {
  const t = usePaymentTexts();
  const { method, card, reference, activation } = payment;
  const how = {
    credit: t('confirm.credit', { digits: lastDigits(card.number) }),
    paypal: t('method.paypal'),
    bank: t('confirm.bank', { reference }),
  }[method];
  return (
    <div className={styles.step}>
      <AmountTable plan={plan} amount={amount} />
      <dl className={styles.amount}>
        <dt>{t('confirm.method')}</dt>
        <dd>{how}</dd>
        {method === 'bank' && (
          <>
            <dt>{t('bank.activation')}</dt>
            <dd>{t(`bank.${activation}`)}</dd>
          </>
        )}
      </dl>
      <StepButtons back={t('back')} onBack={onBack} next={t('pay')} onNext={onNext} />
    </div>
  );
}
