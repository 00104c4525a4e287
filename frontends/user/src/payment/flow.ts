import type { Subscription } from '@talpa/contracts';
import type { Card } from './card.ts';
import type { Refusal } from './refusal.ts';

/** The steps in which an order is made out. */
export type FormStep = 'details' | 'payment' | 'confirmation';
export type Step = FormStep | 'processing' | 'success' | 'error';
export type Method = 'credit' | 'paypal' | 'bank';
/** When a bank transfer's plan begins: at once and checked later, or once the money is there. */
export type Activation = 'now' | 'afterReceipt';

/** What the server says of an order: the plan it gives, why the order is over, or what may be tried again. */
export type Answer =
  | { readonly kind: 'given'; readonly subscription: Subscription }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly message: string };

/** How an order ended. */
export type End =
  /** `subscription`: what the server gives; null where the plan begins when the money is there. */
  | { readonly step: 'success'; readonly subscription: Subscription | null }
  /** `message`: what the server said; null where the payment itself failed. */
  | { readonly step: 'error'; readonly message: string | null };

export interface Payment {
  readonly step: Step;
  /** Nothing is due: no method is asked for, and no payment can fail. */
  readonly isFree: boolean;
  readonly accepted: boolean;
  readonly method: Method;
  readonly activation: Activation;
  readonly card: Card;
  /** What a transfer is found by: the year and a random number. */
  readonly reference: string;
  /** Null until it has ended. */
  readonly end: End | null;
}

export type Change =
  | { readonly kind: 'accept'; readonly accepted: boolean }
  | { readonly kind: 'method'; readonly method: Method }
  | { readonly kind: 'activation'; readonly activation: Activation }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'end'; readonly end: End };

/** A payment that begins. */
export function newPayment(isFree: boolean, now: Date, random: () => number): Payment {
  return {
    step: 'details',
    isFree,
    accepted: false,
    method: 'credit',
    activation: 'now',
    card: { number: '', name: '', expiry: '', cvc: '' },
    reference: `${now.getFullYear()}-${String(Math.floor(random() * 1_000_000)).padStart(6, '0')}`,
    end: null,
  };
}

/** The steps a user goes through, in order. */
export const formSteps = ({ isFree }: Payment): readonly FormStep[] =>
  isFree ? ['details', 'confirmation'] : ['details', 'payment', 'confirmation'];

/** How many of those steps are behind the user; all of them once the order is placed. */
export function stepsDone(payment: Payment): number {
  const steps = formSteps(payment);
  if (payment.step === 'success') return steps.length;
  const at = steps.indexOf(payment.step as FormStep);
  return at < 0 ? steps.length - 1 : at;
}

/** The steps before and after one of the form's. */
export function neighbors(payment: Payment): { readonly before: Step; readonly after: Step } {
  const steps = formSteps(payment);
  const at = steps.indexOf(payment.step as FormStep);
  return { before: steps[at - 1] ?? 'details', after: steps[at + 1] ?? 'processing' };
}

/** Where a failed order is tried again from: the choice of the method, where there is one. */
export const retryStep = ({ isFree }: Payment): FormStep => (isFree ? 'confirmation' : 'payment');

/** The steps that one may go to; every other one changes nothing. */
function following(payment: Payment): readonly Step[] {
  if (payment.step === 'processing' || payment.step === 'success') return [];
  if (payment.step === 'error') return [retryStep(payment)];
  const { before, after } = neighbors(payment);
  return payment.accepted ? [before, after] : [before];
}

/** The payment after a change. */
export function afterChange(payment: Payment, change: Change): Payment {
  switch (change.kind) {
    case 'accept':
      return { ...payment, accepted: change.accepted };
    case 'method':
      return { ...payment, method: change.method };
    case 'activation':
      return { ...payment, activation: change.activation };
    case 'card':
      return { ...payment, card: change.card };
    case 'step':
      return following(payment).includes(change.step) ? { ...payment, step: change.step } : payment;
    case 'end':
      return payment.step === 'processing' ? { ...payment, step: change.end.step, end: change.end } : payment;
  }
}

/** Whether the money is still to be transferred when the order is placed. */
export const isTransfer = ({ isFree, method }: Payment) => !isFree && method === 'bank';

/** Whether a plan begins at the end of it. */
export const activatesNow = (payment: Payment) => !isTransfer(payment) || payment.activation === 'now';

/** Closing asks first where something has been entered; while it is processed it cannot be closed at all. */
export const asksBeforeClosing = (step: Step) => step === 'payment' || step === 'confirmation';
export const isClosable = (step: Step) => step !== 'processing';

/** Whether the order is placed already: from then on nothing here can stop it. */
export const isPlaced = (step: Step) => step === 'processing' || step === 'success';

const successChance = 0.9;
const processing = { shortestMs: 1_000, longestMs: 3_000 };

/** How a simulated payment ends, and after how many ms. Without an amount there is nothing that could fail. */
export function simulate(
  isFree: boolean,
  random: () => number,
): { readonly ms: number; readonly step: 'success' | 'error' } {
  const { shortestMs, longestMs } = processing;
  const ms = shortestMs + random() * (longestMs - shortestMs);
  return { ms, step: isFree || random() < successChance ? 'success' : 'error' };
}
