import { panelConfig } from '@talpa/panel-kit/core';
import { Checkbox } from '@talpa/panel-kit/form';
import { useId, useState } from 'react';
import { ConsequenceList } from './consequence-list.tsx';
import { OrderSummary } from './order-summary.tsx';
import styles from './payment.module.css';
import type { StepProps } from './step.ts';
import { StepForm } from './step-form.tsx';
import { usePaymentTexts } from './texts.ts';

/** What is ordered and what it costs; nobody goes on without accepting the terms. */
export function DetailsStep({ order, payment, change, formId, onNext }: StepProps) {
  const t = usePaymentTexts();
  const [refused, setRefused] = useState(false);
  const isMissing = refused && !payment.accepted;
  const errorId = useId();
  const { terms } = panelConfig().links;
  return (
    <StepForm id={formId} onSubmit={() => (payment.accepted ? onNext() : setRefused(true))}>
      <OrderSummary {...order} />
      <ConsequenceList {...order} />
      <div>
        <Checkbox
          checked={payment.accepted}
          aria-invalid={isMissing}
          aria-describedby={isMissing ? errorId : undefined}
          onChange={({ target }) => change({ kind: 'accept', accepted: target.checked })}
        >
          {t('terms')}
        </Checkbox>
        {terms && (
          <a href={terms} target="_blank" rel="noreferrer" className={styles.terms}>
            {t('terms.link')}
          </a>
        )}
        {isMissing && (
          <p id={errorId} role="alert" className={styles.fault}>
            {t('mustAgree')}
          </p>
        )}
      </div>
    </StepForm>
  );
}
