import type { Plan, Tier } from '@talpa/contracts/plans';
import { toast, useUnsaved } from '@talpa/panel-kit/core';
import { ConfirmDialog, Modal } from '@talpa/panel-kit/form';
import { useKept } from '@talpa/panel-kit/proxies';
import { Alert } from '@talpa/panel-kit/ui';
import { useEffect, useState } from 'react';
import { amountDue } from './amount.ts';
import { ConfirmationStep } from './confirmation-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { ErrorStep, ProcessingStep, SuccessStep } from './end-steps.tsx';
import { asksBeforeClosing, isClosable } from './flow.ts';
import styles from './payment.module.css';
import { PaymentStep } from './payment-step.tsx';
import { usePaymentTexts } from './texts.ts';
import { type Paid, usePayment } from './use-payment.ts';

/** After closing the dialog forgets what was typed, once it is out of sight. */
const forgetMs = 300;

/** What is paid for: another plan, or one more month of one that ends or has ended. */
export type Purpose = 'change' | 'renewal';

export interface PaymentDialogProps {
  /** What is to be paid for; null: closed. */
  readonly plan: Plan | null;
  readonly purpose: Purpose;
  /** The plan one is on now; null without one, and when it has run out. */
  readonly current: Tier | null;
  /** The payment went through. Called once. */
  readonly onPaid: (paid: Paid) => void;
  readonly onCancel: () => void;
  /** 0 ≤ n < 1; for tests. */
  readonly random?: () => number;
}

/** The demo of a payment: it asks for everything and sends nothing. */
export function PaymentDialog({ plan, ...rest }: PaymentDialogProps) {
  const kept = useKept(plan);
  const [opening, setOpening] = useState(0);
  useEffect(() => {
    if (plan !== null) return;
    const timer = setTimeout(() => setOpening((count) => count + 1), forgetMs);
    return () => clearTimeout(timer);
  }, [plan]);
  return kept && <OpenPayment key={`${kept.id} ${opening}`} plan={kept} isOpen={plan !== null} {...rest} />;
}

function OpenPayment(
  props: Omit<PaymentDialogProps, 'plan'> & { readonly plan: Plan; readonly isOpen: boolean },
) {
  const { plan, purpose, current, isOpen, onPaid, onCancel, random = Math.random } = props;
  const t = usePaymentTexts();
  const [asking, setAsking] = useState(false);
  const { payment, change, paid, finish, go } = usePayment({
    onPaid,
    random,
    onEnded: (step) =>
      step === 'success'
        ? toast({ title: t('success.title'), text: t(`success.${paid}.${purpose}`), tone: 'success' })
        : toast({ title: t('error.title'), text: t('error.text'), tone: 'error' }),
  });
  const { step } = payment;
  // A further month of the same plan replaces nothing that could be credited.
  useUnsaved(isOpen && asksBeforeClosing(step));
  const amount = amountDue(plan, purpose === 'renewal' ? null : current);
  const close = () => {
    if (step === 'success') return finish();
    if (asksBeforeClosing(step)) return setAsking(true);
    if (isClosable(step)) onCancel();
  };
  const shared = { plan, amount, payment, change };
  return (
    <>
      <Modal
        open={isOpen}
        title={t(`title.${purpose}`, { name: plan.name })}
        footer={null}
        closable={isClosable(step) && { 'aria-label': t('close') }}
        mask={{ closable: false }}
        keyboard={isClosable(step)}
        onCancel={close}
        width={560}
      >
        <div className={styles.body} data-step={step}>
          <Alert type="info" showIcon title={t('demo')} />
          {step === 'details' && <DetailsStep {...shared} onNext={() => go('payment')} onCancel={close} />}
          {step === 'payment' && (
            <PaymentStep {...shared} onBack={() => go('details')} onNext={() => go('confirmation')} />
          )}
          {step === 'confirmation' && (
            <ConfirmationStep {...shared} onBack={() => go('payment')} onNext={() => go('processing')} />
          )}
          {step === 'processing' && <ProcessingStep />}
          {step === 'success' && <SuccessStep text={t(`success.${paid}.${purpose}`)} onClose={finish} />}
          {step === 'error' && <ErrorStep onRetry={() => go('payment')} onClose={close} />}
        </div>
      </Modal>
      <ConfirmDialog
        open={asking}
        title={t('cancel.title')}
        confirm={t('cancel.confirm')}
        danger
        onConfirm={() => {
          setAsking(false);
          onCancel();
        }}
        onCancel={() => setAsking(false)}
      >
        {t('cancel.text')}
      </ConfirmDialog>
    </>
  );
}
