import { Radio, Tabs } from '@talpa/panel-kit/form';
import { BankAccount } from './bank-account.tsx';
import { CardForm } from './card-form.tsx';
import type { Activation, Method } from './flow.ts';
import styles from './payment.module.css';
import type { StepProps } from './step.ts';
import { StepForm } from './step-form.tsx';
import { usePaymentTexts } from './texts.ts';

/** How to pay: by card, PayPal or bank transfer. */
export function PaymentStep({ payment, change, formId, onNext }: StepProps) {
  const t = usePaymentTexts();
  return (
    <Tabs
      activeKey={payment.method}
      onChange={(method) => change({ kind: 'method', method: method as Method })}
      // Of the forms only the one in sight has the id that the button sends.
      destroyOnHidden
      items={[
        {
          key: 'credit',
          label: t('method.credit'),
          children: (
            <CardForm
              id={formId}
              card={payment.card}
              onChange={(card) => change({ kind: 'card', card })}
              onReviewed={onNext}
            />
          ),
        },
        {
          key: 'paypal',
          label: t('method.paypal'),
          children: (
            <StepForm id={formId} onSubmit={onNext}>
              <p className={styles.text}>{t('paypal.text')}</p>
            </StepForm>
          ),
        },
        {
          key: 'bank',
          label: t('method.bank'),
          children: (
            <StepForm id={formId} onSubmit={onNext}>
              <BankAccount reference={payment.reference} />
              <fieldset className={styles.choices}>
                <legend>{t('bank.activation')}</legend>
                <Radio.Group
                  vertical
                  value={payment.activation}
                  onChange={({ target }) =>
                    change({ kind: 'activation', activation: target.value as Activation })
                  }
                  options={[
                    { value: 'now', label: t('bank.now') },
                    { value: 'afterReceipt', label: t('bank.afterReceipt') },
                  ]}
                />
              </fieldset>
            </StepForm>
          ),
        },
      ]}
    />
  );
}
