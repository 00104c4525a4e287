import { Radio, Tabs } from '@talpa/panel-kit/form';
import { CardForm } from './card-form.tsx';
import type { Activation, Method } from './flow.ts';
import styles from './payment.module.css';
import type { StepProps } from './step.ts';
import { StepButtons } from './step-buttons.tsx';
import { usePaymentTexts } from './texts.ts';

/** How to pay: by card, PayPal or bank transfer. */
export function PaymentStep(props: StepProps & { readonly onBack: () => void }) {
  const t = usePaymentTexts();
  const { payment, change, onNext, onBack } = props;
  const buttons = (next: string) => (
    <StepButtons back={t('back')} onBack={onBack} next={next} onNext={onNext} />
  );
  return (
    <Tabs
      activeKey={payment.method}
      onChange={(method) => change({ kind: 'method', method: method as Method })}
      items={[
        {
          key: 'credit',
          label: t('method.credit'),
          children: (
            <CardForm
              card={payment.card}
              onChange={(card) => change({ kind: 'card', card })}
              onReviewed={onNext}
              onBack={onBack}
            />
          ),
        },
        {
          key: 'paypal',
          label: t('method.paypal'),
          children: (
            <div className={styles.step}>
              <p className={styles.text}>{t('paypal.text')}</p>
              {buttons(t('paypal.next'))}
            </div>
          ),
        },
        {
          key: 'bank',
          label: t('method.bank'),
          children: (
            <div className={styles.step}>
              <dl className={styles.amount}>
                <dt>{t('bank.account')}</dt>
                <dd>{t('bank.accountName')}</dd>
                <dt>{t('bank.reference')}</dt>
                <dd className={styles.reference}>{payment.reference}</dd>
              </dl>
              <Radio.Group
                aria-label={t('bank.activation')}
                className={styles.choices ?? ''}
                value={payment.activation}
                onChange={({ target }) =>
                  change({ kind: 'activation', activation: target.value as Activation })
                }
                options={[
                  { value: 'now', label: t('bank.now') },
                  { value: 'afterReceipt', label: t('bank.afterReceipt') },
                ]}
              />
              {buttons(t('review'))}
            </div>
          ),
        },
      ]}
    />
  );
}
