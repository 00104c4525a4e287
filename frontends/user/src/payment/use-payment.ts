import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { activatesNow, afterChange, isTransfer, newPayment, type Step, simulate } from './flow.ts';

/** How long the success is shown before the plan begins by itself, in ms. */
const successMs = 2_000;

/** A payment from its first step to its end. */
export function usePayment(options: {
  readonly isFree: boolean;
  /** The plan begins. Called once: a moment after the success, or earlier when the dialog goes away. */
  readonly onPaid: () => void;
  readonly onEnded: (step: 'success' | 'error') => void;
  /** Nothing is left to read: the dialog may close. */
  readonly onDone: () => void;
  readonly random: () => number;
}) {
  const { isFree, random } = options;
  const [payment, change] = useReducer(afterChange, random, (given) => newPayment(isFree, new Date(), given));
  const { step } = payment;
  const ended = useEffectEvent(options.onEnded);

  useEffect(() => {
    if (step !== 'processing') return;
    const { ms, step: end } = simulate(isFree, random);
    const timer = setTimeout(() => {
      change({ kind: 'step', step: end });
      ended(end);
    }, ms);
    return () => clearTimeout(timer);
  }, [step, isFree, random]);

  // Not state: two calls in one tick would both find it unset.
  const notified = useRef(false);
  const notify = () => {
    if (step !== 'success' || notified.current || !activatesNow(payment)) return;
    notified.current = true;
    options.onPaid();
  };
  const notifyAutomatically = useEffectEvent(() => {
    notify();
    // A transfer's account data are still needed.
    if (!isTransfer(payment)) options.onDone();
  });
  const notifyOnLeave = useEffectEvent(notify);
  useEffect(() => {
    if (step !== 'success') return;
    const timer = setTimeout(() => notifyAutomatically(), successMs);
    return () => {
      clearTimeout(timer);
      // Who leaves the page has paid all the same.
      notifyOnLeave();
    };
  }, [step]);

  return { payment, change, notify, go: (to: Step) => change({ kind: 'step', step: to }) };
}
