import { describe, expect, it } from 'vitest';
import { inMemory } from './attempts.ts';
import { createBuckets } from './bucket.ts';

describe('a bucket', () => {
  it('gives a minute’s tokens at once, then one after the other, for each key alone', () => {
    let now = 0;
    const buckets = createBuckets(60, () => now);
    for (let i = 0; i < 60; i += 1) expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(1);
    expect(buckets.take('b')).toBe(0);
    now = 1_000;
    expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(1);
    now = 3_600_000;
    for (let i = 0; i < 60; i += 1) expect(buckets.take('a')).toBe(0);
    expect(buckets.take('a')).toBe(1);
  });
});

it('a bucket that is empty says how long until there is a token', () => {
  let now = 0;
  const buckets = createBuckets(2, () => now);
  expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 30]);
  now = 15_000;
  expect(buckets.take('a')).toBe(15);
});

describe('wrong attempts, counted while Redis is away', () => {
  it('are limited as with it: as many run as may be wrong, and only the wrong ones count', async () => {
    let now = 0;
    const attempts = inMemory(2, () => now);
    const begin = async (id: string) => (await attempts.begin('a', id)).state;
    expect([await begin('1'), await begin('2'), await begin('3')]).toEqual(['begun', 'begun', 'wait']);
    await attempts.end('a', '1', false);
    expect(await begin('3')).toBe('begun');
    await attempts.end('a', '2', true);
    await attempts.end('a', '3', true);
    expect(await attempts.begin('a', '4')).toEqual({ state: 'refused', ms: 60_000 });
    expect((await attempts.begin('b', '4')).state).toBe('begun');
    now = 60_000;
    expect([await begin('5'), await begin('6'), await begin('7')]).toEqual(['begun', 'begun', 'wait']);
    // Those have never ended.
    now = 80_000;
    expect(await begin('7')).toBe('begun');
  });

  it('are counted for a minute from the first of them', async () => {
    let now = 5_000;
    const attempts = inMemory(2, () => now);
    const wrong = async (id: string) => {
      await attempts.begin('a', id);
      await attempts.end('a', id, true);
    };
    await wrong('1');
    now = 45_000;
    await wrong('2');
    expect(await attempts.begin('a', '3')).toEqual({ state: 'refused', ms: 20_000 });
    now = 65_000;
    expect((await attempts.begin('a', '3')).state).toBe('begun');
  });
});
