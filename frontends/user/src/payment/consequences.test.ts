import { plans, type Tier } from '@talpa/contracts/plans';
import { expect, it } from 'vitest';
import { consequencesOf } from './consequences.ts';

const offers = { customDomains: true, gamePorts: true, requestLogDays: 30 };
const expiry = '2026-12-05T08:00:00.000Z';
const of = (id: Tier, tier: Tier | null, used: number, more: Partial<typeof offers> = {}) => {
  const plan = plans.find((one) => one.id === id);
  if (!plan) throw new Error(`there is no plan ${id}`);
  return consequencesOf(plan, { tier, expiry, used }, { ...offers, ...more });
};

it('a smaller plan says what stays, what cannot be created, and what is lost', () => {
  expect(of('free', 'enterprise', 15)).toEqual([
    { kind: 'above', used: 15, tooMany: 15 },
    { kind: 'fewer' },
    { kind: 'log', days: 7 },
    { kind: 'ends', name: 'Enterprise', expiry },
  ]);
});

it('one has to delete as many proxies as make room for one more', () => {
  expect(of('basic', 'premium', 4)[0]).toEqual({ kind: 'above', used: 4, tooMany: 2 });
  expect(of('basic', 'premium', 3).map(({ kind }) => kind)).not.toContain('above');
});

it('nothing is said to be lost that this installation does not offer', () => {
  expect(of('free', 'basic', 0, { requestLogDays: 7 }).map(({ kind }) => kind)).toEqual(['fewer', 'ends']);
  expect(of('premium', 'enterprise', 0, { requestLogDays: 0 }).map(({ kind }) => kind)).not.toContain('log');
});

it('a larger plan takes nothing away, but may still be too small', () => {
  expect(of('premium', 'basic', 3)).toEqual([]);
  expect(of('basic', 'free', 15)).toEqual([{ kind: 'above', used: 15, tooMany: 13 }]);
  expect(of('basic', null, 0)).toEqual([]);
});
