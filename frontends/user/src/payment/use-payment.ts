import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { type Answer, activatesNow, afterChange, type End, newPayment, type Step, simulate } from './flow.ts';
import type { Refusal } from './refusal.ts';

/** How long the success is shown before the page is told of it, in ms. */
const successMs = 2_000;

/** A payment from its first step to its end. */
export function usePayment(options: {
  readonly isFree: boolean;
  /** Has the server give the plan that is paid for. Success is shown when it has. */
  readonly placeOrder: () => Promise<Answer>;
  /** The plan has begun. Called once: a moment after the success, or earlier when the dialog goes away. */
  readonly onPaid: () => void;
  readonly onEnded: (end: End) => void;
  /** The order is over and was not placed. */
  readonly onRefused: (refusal: Refusal) => void;
  readonly random: () => number;
}) {
  const { isFree, random } = options;
  const [payment, change] = useReducer(afterChange, random, (given) => newPayment(isFree, new Date(), given));
  const { step } = payment;
  const finish = (end: End) => {
    change({ kind: 'end', end });
    options.onEnded(end);
  };
  const settle = useEffectEvent(async (step: End['step']) => {
    if (step === 'error') return finish({ step, message: null });
    if (!activatesNow(payment)) return finish({ step, subscription: null });
    const answer = await options.placeOrder();
    if (answer.kind === 'refused') options.onRefused(answer.refusal);
    else if (answer.kind === 'failed') finish({ step: 'error', message: answer.message });
    else finish({ step, subscription: answer.subscription });
  });

  useEffect(() => {
    if (step !== 'processing') return;
    const { ms, step: end } = simulate(isFree, random);
    const timer = setTimeout(() => void settle(end), ms);
    return () => clearTimeout(timer);
  }, [step, isFree, random]);

  // Not state: two calls in one tick would both find it unset.
  const notified = useRef(false);
  const notify = () => {
    if (step !== 'success' || notified.current || !activatesNow(payment)) return;
    notified.current = true;
    options.onPaid();
  };
  const notifyAtLeast = useEffectEvent(notify);
  useEffect(() => {
    if (step !== 'success') return;
    const timer = setTimeout(() => notifyAtLeast(), successMs);
    return () => {
      clearTimeout(timer);
      notifyAtLeast();
    };
  }, [step]);

  return { payment, change, notify, go: (to: Step) => change({ kind: 'step', step: to }) };
}
