import type { Card } from './card.ts';

export type Step = 'details' | 'payment' | 'confirmation' | 'processing' | 'success' | 'error';
export type Method = 'credit' | 'paypal' | 'bank';
/** When a bank transfer's plan begins: at once and checked later, or once the money is there. */
export type Activation = 'now' | 'afterReceipt';

export interface Payment {
  readonly step: Step;
  readonly accepted: boolean;
  readonly method: Method;
  readonly activation: Activation;
  readonly card: Card;
  /** What a transfer is found by: the year and a random number. */
  readonly reference: string;
}

export type Change =
  | { readonly kind: 'accept'; readonly accepted: boolean }
  | { readonly kind: 'method'; readonly method: Method }
  | { readonly kind: 'activation'; readonly activation: Activation }
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'step'; readonly step: Step };

/** A payment that begins. */
export function newPayment(now: Date, random: () => number): Payment {
  return {
    step: 'details',
    accepted: false,
    method: 'credit',
    activation: 'now',
    card: { number: '', name: '', expiry: '', cvc: '' },
    reference: `${now.getFullYear()}-${String(Math.floor(random() * 1_000_000)).padStart(6, '0')}`,
  };
}

/** Where each step may lead; anything else changes nothing. */
const next: Readonly<Record<Step, readonly Step[]>> = {
  details: ['payment'],
  payment: ['details', 'confirmation'],
  confirmation: ['payment', 'processing'],
  processing: ['success', 'error'],
  success: [],
  error: ['payment'],
};

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
    case 'step': {
      const mayGo =
        next[payment.step].includes(change.step) && (payment.step !== 'details' || payment.accepted);
      return mayGo ? { ...payment, step: change.step } : payment;
    }
  }
}

/** Whether a plan begins at the end of it. */
export const activatesNow = ({ method, activation }: Payment) => method !== 'bank' || activation === 'now';

/** Closing asks first where something has been entered; while it is processed it cannot be closed at all. */
export const asksBeforeClosing = (step: Step) => step === 'payment' || step === 'confirmation';
export const isClosable = (step: Step) => step !== 'processing';

const successChance = 0.9;
const processing = { shortestMs: 1_000, longestMs: 3_000 };

/** How a simulated payment ends, and after how many ms. */
export function simulate(random: () => number): { readonly ms: number; readonly step: 'success' | 'error' } {
  const { shortestMs, longestMs } = processing;
  const ms = shortestMs + random() * (longestMs - shortestMs);
  return { ms, step: random() < successChance ? 'success' : 'error' };
}
