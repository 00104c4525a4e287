import { plans, type Tier } from '@talpa/contracts/plans';
import { expect, it } from 'vitest';
import { isRecommended } from './recommended.ts';

it('a plan is recommended only to those on a smaller one', () => {
  const to = (current: Tier | null) =>
    plans.filter((plan) => isRecommended(plan, current)).map(({ id }) => id);
  expect([to(null), to('free'), to('basic')]).toEqual([['premium'], ['premium'], ['premium']]);
  expect([to('premium'), to('enterprise')]).toEqual([[], []]);
});
