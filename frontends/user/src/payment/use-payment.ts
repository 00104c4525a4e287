import { useEffect, useEffectEvent, useReducer, useState } from 'react';
import { activatesNow, afterChange, newPayment, type Step, simulate } from './flow.ts';

/** How long the success is shown before the plan begins by itself, in ms. */
const successMs = 2_000;

/** How a payment that went through is to be taken: a plan begins, or nothing does yet. */
export type Paid = 'activated' | 'ordered';

/** A payment from its first step to its end; `onPaid` is called once, after a moment or when `finish` is. */
export function usePayment(options: {
  readonly onPaid: (paid: Paid) => void;
  readonly onEnded: (step: Step) => void;
  readonly random: () => number;
}) {
  const { random } = options;
  const [payment, change] = useReducer(afterChange, random, (given) => newPayment(new Date(), given));
  const [told, setTold] = useState(false);
  const ended = useEffectEvent(options.onEnded);
  const { step } = payment;
  const paid: Paid = activatesNow(payment) ? 'activated' : 'ordered';

  useEffect(() => {
    if (step !== 'processing') return;
    const { ms, step: end } = simulate(random);
    const timer = setTimeout(() => {
      change({ kind: 'step', step: end });
      ended(end);
    }, ms);
    return () => clearTimeout(timer);
  }, [step, random]);

  const finish = () => {
    if (told) return;
    setTold(true);
    options.onPaid(paid);
  };
  const finishByItself = useEffectEvent(finish);
  useEffect(() => {
    if (step !== 'success') return;
    const timer = setTimeout(() => finishByItself(), successMs);
    return () => clearTimeout(timer);
  }, [step]);

  return { payment, change, paid, finish, go: (to: Step) => change({ kind: 'step', step: to }) };
}
