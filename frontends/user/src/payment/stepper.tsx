import { Check } from 'lucide-react';
import { type EndProps, useEndTexts } from './end-steps.tsx';
import { formSteps, type Payment, stepsDone } from './flow.ts';
import styles from './stepper.module.css';
import { usePaymentTexts } from './texts.ts';

/** The order's steps: which are done, which one is open, and which follow. */
export function Stepper({ payment }: { readonly payment: Payment }) {
  const t = usePaymentTexts();
  const done = stepsDone(payment);
  return (
    <ol className={styles.steps} aria-label={t('steps')}>
      {formSteps(payment).map((step, at) => (
        <li key={step} data-done={at < done} aria-current={at === done ? 'step' : undefined}>
          <span className={styles.mark} aria-hidden>
            {at < done ? <Check size={14} strokeWidth={3} /> : at + 1}
          </span>
          {t(`step.${step}`)}
        </li>
      ))}
    </ol>
  );
}

/** What a step is called where it is not seen: which of the steps it is, or what has become of the order. */
export function useStepLabel({ order, payment }: EndProps): string {
  const t = usePaymentTexts();
  const ends = useEndTexts({ order, payment });
  const { step } = payment;
  if (step === 'processing' || step === 'success' || step === 'error') return ends[step];
  const count = formSteps(payment).length;
  return t('step.of', { number: stepsDone(payment) + 1, count, name: t(`step.${step}`) });
}
