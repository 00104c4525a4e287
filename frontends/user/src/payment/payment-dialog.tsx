import { useToast, useUnsaved } from '@talpa/panel-kit/core';
import { ConfirmDialog, Dialog, firstFocus } from '@talpa/panel-kit/form';
import { Alert } from '@talpa/panel-kit/ui';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { ConfirmationStep } from './confirmation-step.tsx';
import { DetailsStep } from './details-step.tsx';
import { ErrorStep, ProcessingStep, SuccessStep, useEndTexts } from './end-steps.tsx';
import { type Answer, asksBeforeClosing, isClosable, isPlaced, neighbors, retryStep } from './flow.ts';
import type { Order } from './order.ts';
import styles from './payment.module.css';
import { PaymentStep } from './payment-step.tsx';
import type { Refusal } from './refusal.ts';
import { StepBar } from './step-bar.tsx';
import { Stepper, useStepLabel } from './stepper.tsx';
import { usePaymentTexts } from './texts.ts';
import { usePayment } from './use-payment.ts';
import { useStepFocus } from './use-step-focus.ts';

/** After closing the dialog forgets what was typed, once it is out of sight. */
const forgetMs = 300;

interface PaymentDialogProps {
  /** What is to be paid for, a new object each time; null: closed. */
  readonly order: Order | null;
  /** Why it cannot be placed now: much may have changed since it was chosen. */
  readonly refusal: Refusal | null;
  /** Says so, where the dialog closes. A suspension it shows itself: it may be lifted again. */
  readonly onRefused: (refusal: Refusal) => void;
  /** Has the server give the plan. Called once the payment has succeeded, and again when a failed order is retried. */
  readonly placeOrder: (order: Order) => Promise<Answer>;
  /** The plan has begun. Called once, a moment after the success is shown. */
  readonly onPaid: (order: Order) => void;
  /** Leads on to the first or next proxy; null where none can be created. */
  readonly onAdd: (() => void) | null;
  readonly onClose: () => void;
  /** Takes the focus afterwards where the button that opened the dialog cannot. */
  readonly focusElsewhere: () => void;
  /** 0 ≤ n < 1; for tests. */
  readonly random?: () => number;
}

/** The order shown last, and the number of orders so far. No two orders share a number, so none gets another's state. */
interface Shown {
  readonly order: Order | null;
  readonly number: number;
}

/** The demo of a payment: it asks for everything and sends nothing of it. Each order begins anew. */
export function PaymentDialog({ order, ...rest }: PaymentDialogProps) {
  const [shown, setShown] = useState<Shown>({ order: null, number: 0 });
  if (order && order !== shown.order) setShown({ order, number: shown.number + 1 });
  const isForgetting = order === null && shown.order !== null;
  useEffect(() => {
    if (!isForgetting) return;
    const timer = setTimeout(() => setShown(({ number }) => ({ order: null, number })), forgetMs);
    return () => clearTimeout(timer);
  }, [isForgetting]);
  if (!shown.order) return null;
  return <OpenPayment key={shown.number} order={shown.order} isOpen={order !== null} {...rest} />;
}

function OpenPayment(
  props: Omit<PaymentDialogProps, 'order'> & { readonly order: Order; readonly isOpen: boolean },
) {
  const { order, refusal, isOpen, onClose, random = Math.random } = props;
  const t = usePaymentTexts();
  const toast = useToast();
  const formId = useId();
  const [asking, setAsking] = useState(false);
  const { payment, change, notify, go } = usePayment({
    isFree: order.amount.dueCents === 0,
    placeOrder: () => props.placeOrder(order),
    onPaid: () => props.onPaid(order),
    // What a success has brought the dialog says.
    onEnded: (end) =>
      toast({
        title: texts[end.step],
        ...(end.step === 'error' && { text: texts.textOf(end) }),
        tone: end.step,
      }),
    onRefused: (given) => {
      props.onRefused(given);
      onClose();
    },
    random,
  });
  const { step } = payment;
  const texts = useEndTexts({ order, payment });
  const label = useStepLabel({ order, payment });
  const { content, giveBack } = useStepFocus(step, props.focusElsewhere);
  useUnsaved(() => isOpen && (asksBeforeClosing(step) || step === 'processing'));
  const close = () => {
    if (asksBeforeClosing(step)) return setAsking(true);
    if (!isClosable(step)) return;
    notify();
    onClose();
  };
  const isSuspended = refusal === 'suspended';
  const isOver = isOpen && refusal !== null && !isSuspended && !isPlaced(step);
  const end = useEffectEvent(() => {
    if (refusal) props.onRefused(refusal);
    setAsking(false);
    onClose();
  });
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);
  const next = () => {
    if (!refusal) go(neighbors(payment).after);
  };
  const shared = { order, payment, change, formId, onNext: next };
  return (
    <>
      <Dialog
        open={isOpen}
        title={t(`title.${order.purpose}`, { name: order.plan.name })}
        footer={
          <StepBar
            payment={payment}
            dueCents={order.amount.dueCents}
            formId={formId}
            isStopped={refusal !== null}
            onBack={() => go(neighbors(payment).before)}
            onRetry={() => go(retryStep(payment))}
            onClose={close}
            onAdd={
              props.onAdd &&
              (() => {
                notify();
                props.onAdd?.();
              })
            }
          />
        }
        closable={isClosable(step) && { 'aria-label': t('close') }}
        mask={{ closable: false }}
        keyboard={isClosable(step)}
        onCancel={close}
        afterClose={giveBack}
        width={600}
      >
        <p className={styles.demo}>{t('demo')}</p>
        <Stepper payment={payment} />
        <section
          ref={content}
          {...firstFocus}
          tabIndex={-1}
          aria-label={label}
          className={styles.content}
          data-step={step}
        >
          {isSuspended && !isPlaced(step) && (
            <Alert
              className={styles.stopped ?? ''}
              type="error"
              showIcon
              role="alert"
              title={t('suspended')}
              description={t('suspended.text')}
            />
          )}
          {step === 'details' && <DetailsStep {...shared} />}
          {step === 'payment' && <PaymentStep {...shared} />}
          {step === 'confirmation' && <ConfirmationStep {...shared} />}
          {step === 'processing' && <ProcessingStep order={order} payment={payment} />}
          {step === 'success' && <SuccessStep order={order} payment={payment} />}
          {step === 'error' && <ErrorStep order={order} payment={payment} />}
        </section>
      </Dialog>
      <ConfirmDialog
        open={asking}
        title={t('cancel.title')}
        confirm={t('cancel.confirm')}
        cancel={t('cancel.stay')}
        danger
        onConfirm={() => {
          setAsking(false);
          onClose();
        }}
        onCancel={() => setAsking(false)}
      >
        {t('cancel.text')}
      </ConfirmDialog>
    </>
  );
}
