import { describe, expect, it } from 'vitest';
import {
  activatesNow,
  afterChange,
  formSteps,
  isTransfer,
  newPayment,
  type Payment,
  type Step,
  simulate,
  stepsDone,
} from './flow.ts';

const begun = newPayment(false, new Date('2026-11-21'), () => 0.042);
const end = (payment: Payment, step: 'success' | 'error') =>
  afterChange(payment, {
    kind: 'end',
    end: step === 'success' ? { step, subscription: null } : { step, message: null },
  });
const go = (payment: Payment, ...steps: Step[]) =>
  steps.reduce(
    (before, step) =>
      step === 'success' || step === 'error'
        ? end(before, step)
        : afterChange(before, { kind: 'step', step }),
    payment,
  );
const accept = (payment: Payment) => afterChange(payment, { kind: 'accept', accepted: true });
const accepted = accept(begun);
const free = accept(newPayment(true, new Date('2026-11-21'), () => 0));

describe('a payment', () => {
  it('goes no further until the terms are accepted', () => {
    expect(go(begun, 'payment').step).toBe('details');
    expect(go(accepted, 'payment').step).toBe('payment');
  });

  it('passes every step, and none twice', () => {
    expect(go(accepted, 'confirmation').step).toBe('details');
    expect(go(accepted, 'payment', 'processing').step).toBe('payment');
    const paid = go(accepted, 'payment', 'confirmation', 'processing', 'success');
    expect(paid.step).toBe('success');
    expect(go(paid, 'payment').step).toBe('success');
  });

  it('goes back step by step', () => {
    expect(go(accepted, 'payment', 'confirmation', 'payment', 'details').step).toBe('details');
    expect(go(accepted, 'payment', 'confirmation', 'details').step).toBe('confirmation');
  });

  it('that failed is tried again from the choice of the method, a free one from its confirmation', () => {
    const failed = go(accepted, 'payment', 'confirmation', 'processing', 'error');
    expect(go(failed, 'payment').step).toBe('payment');
    expect(go(free, 'confirmation', 'processing', 'error', 'confirmation').step).toBe('confirmation');
  });

  it('ends only while it is processed', () => {
    expect(go(accepted, 'success').step).toBe('details');
    expect(go(accepted, 'payment', 'confirmation', 'processing', 'success', 'error').step).toBe('success');
  });

  it('of nothing goes from the terms to the confirmation, and cannot fail', () => {
    expect(formSteps(free)).toEqual(['details', 'confirmation']);
    expect(go(free, 'payment').step).toBe('details');
    expect(go(free, 'confirmation', 'processing').step).toBe('processing');
    expect(simulate(true, () => 0.999).step).toBe('success');
    expect(isTransfer(afterChange(free, { kind: 'method', method: 'bank' }))).toBe(false);
  });

  it('shows how far it has come', () => {
    const steps: Step[] = ['payment', 'confirmation', 'processing', 'success'];
    const done = steps.map((_, at) => stepsDone(go(accepted, ...steps.slice(0, at + 1))));
    expect([stepsDone(begun), ...done]).toEqual([0, 1, 2, 2, 3]);
  });

  it('by transfer after receipt begins no plan', () => {
    const byBank = afterChange(accepted, { kind: 'method', method: 'bank' });
    expect(activatesNow(byBank)).toBe(true);
    expect(activatesNow(afterChange(byBank, { kind: 'activation', activation: 'afterReceipt' }))).toBe(false);
    const byCard = afterChange(accepted, { kind: 'activation', activation: 'afterReceipt' });
    expect(activatesNow(byCard)).toBe(true);
  });

  it('is found by the year and a number', () => {
    expect(begun.reference).toBe('2026-042000');
  });

  it('takes one to three seconds and succeeds nine times out of ten', () => {
    expect(simulate(false, () => 0)).toEqual({ ms: 1_000, step: 'success' });
    expect(simulate(false, () => 0.899).step).toBe('success');
    expect(simulate(false, () => 0.9).step).toBe('error');
    expect(simulate(false, () => 0.999999).ms).toBeLessThanOrEqual(3_000);
  });
});
