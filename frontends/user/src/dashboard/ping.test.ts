import { expect, it } from 'vitest';
import { qualityOf } from './ping.ts';

it('calls a ping excellent under 100 ms, good under 200 ms, slow from there on', () => {
  expect([0, 99, 100, 199, 200, 5_000].map(qualityOf)).toEqual([
    'excellent',
    'excellent',
    'good',
    'good',
    'slow',
    'slow',
  ]);
});
