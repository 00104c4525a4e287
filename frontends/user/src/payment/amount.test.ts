import { plans } from '@talpa/contracts/plans';
import { expect, it } from 'vitest';
import { amountDue } from './amount.ts';

const due = (id: string, current: 'free' | 'basic' | 'premium' | 'enterprise' | null) => {
  const plan = plans.find((one) => one.id === id);
  return plan && amountDue(plan, current);
};

it('a price that the credit would cover is due in full, and the credit unused', () => {
  expect(due('premium', 'basic')).toEqual({
    priceCents: 699,
    creditCents: 999,
    isCredited: false,
    dueCents: 699,
  });
  expect(due('enterprise', 'basic')?.dueCents).toBe(999);
});

it('without a plan, or from the free one, there is no credit', () => {
  expect(due('basic', null)).toMatchObject({ creditCents: 0, dueCents: 299 });
  expect(due('enterprise', 'free')).toMatchObject({ creditCents: 0, isCredited: false, dueCents: 999 });
});

it('a dearer price is due less the credit, to the cent', () => {
  const dear = { ...plans[3], priceCents: 1_250 } as (typeof plans)[number];
  expect(amountDue(dear, 'basic')).toMatchObject({ isCredited: true, dueCents: 251 });
});
