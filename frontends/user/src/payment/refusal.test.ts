import { plans, type Tier } from '@talpa/contracts/plans';
import { describe, expect, it } from 'vitest';
import { newOrder, type Purpose } from './order.ts';
import { refusalOf } from './refusal.ts';

const order = (id: Tier, purpose: Purpose, from: Tier | null) => {
  const plan = plans.find((one) => one.id === id);
  if (!plan) throw new Error(`there is no plan ${id}`);
  return newOrder(plan, purpose, from, null, []);
};

describe('an open order', () => {
  it.each([
    ['stays while nothing changes', 'change', 'basic', 'basic', null],
    ['is the current plan once it was bought elsewhere', 'change', 'basic', 'premium', 'same'],
    ['is outdated when another plan was bought elsewhere', 'change', 'basic', 'enterprise', 'outdated'],
    ['is outdated when the plan that gave its credit has run out', 'change', 'basic', null, 'outdated'],
    ['of a further month stays while the plan is the same', 'renewal', 'premium', 'premium', null],
    ['of a further month stays when the plan runs out', 'renewal', 'premium', null, null],
    ['of a further month stays when the free plan takes its place', 'renewal', 'premium', 'free', null],
    ['of a further month is placed when the plan had run out before', 'renewal', 'free', 'free', null],
    [
      'of a further month is outdated when another plan was bought',
      'renewal',
      'premium',
      'basic',
      'outdated',
    ],
  ] as const)('is refused when it has to be: it %s', (_case, purpose, from, tier, refusal) => {
    expect(refusalOf(order('premium', purpose, from), { isSuspended: false, tier })).toBe(refusal);
    expect(refusalOf(order('premium', purpose, from), { isSuspended: true, tier })).toBe('suspended');
  });
});
