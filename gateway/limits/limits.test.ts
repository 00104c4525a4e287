import { describe, expect, it } from 'vitest';
import { addressKey } from './address.ts';
import { createBuckets } from './bucket.ts';

describe('an address is counted', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

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
