import { panelConfig } from '@talpa/panel-kit/core';
import { Checkbox } from '@talpa/panel-kit/form';
import { useId, useState } from 'react';
import { AmountTable } from './amount-table.tsx';
import styles from './payment.module.css';
import type { StepProps } from './step.ts';
import { StepButtons } from './step-buttons.tsx';
import { usePaymentTexts } from './texts.ts';

/** What it costs and why; nobody goes on without accepting the terms. */
export function DetailsStep({
  plan,
  amount,
  payment,
  change,
  onNext,
  onCancel,
}: StepProps & { readonly onCancel: () => void }) {
  const t = usePaymentTexts();
  const [refused, setRefused] = useState(false);
  const errorId = useId();
  const { terms } = panelConfig().links;
  const submit = () => (payment.accepted ? onNext() : setRefused(true));
  return (
    <form
      className={styles.step}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <AmountTable plan={plan} amount={amount} />
      <div>
        <Checkbox
          checked={payment.accepted}
          aria-invalid={refused}
          aria-describedby={refused ? errorId : undefined}
          onChange={({ target }) => {
            setRefused(false);
            change({ kind: 'accept', accepted: target.checked });
          }}
        >
          {t('terms')}
        </Checkbox>
        {terms && (
          <a href={terms} target="_blank" rel="noreferrer" className={styles.terms}>
            {t('terms.link')}
          </a>
        )}
        {refused && (
          <p id={errorId} role="alert" className={styles.fault}>
            {t('mustAgree')}
          </p>
        )}
      </div>
      <StepButtons back={t('cancel')} onBack={onCancel} next={t('next')} />
    </form>
  );
}
