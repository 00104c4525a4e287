import { expect, it } from 'vitest';
import { valuesOf } from './policy-values.ts';
import { chosen, presetOf, presets } from './presets.ts';

const address = '203.0.113.7';
const start = valuesOf({ kind: 'open' });

it('a preset that was chosen is the one that is recognized, whatever was set before', () => {
  for (const before of presets)
    for (const preset of presets) {
      const values = { ...start, ...chosen(before, address), pin: '123456', ...chosen(preset, address) };
      expect(presetOf(values, address)).toBe(preset);
      expect(values.pin).toBe('123456');
    }
});

it('what a preset does not say is none: it would be hidden, and count', () => {
  const pin = { ...start, ...chosen('pin', address) };
  const mine = { ...start, ...chosen('address', address) };
  const others = [
    { ...pin, days: 30 },
    { ...pin, preflights: true },
    { ...pin, emails: 'mara@example.com' },
    { ...pin, methods: ['pin', 'member'] as const },
    { ...pin, rules: mine.rules },
    { ...mine, otherwise: 'allow' as const },
    { ...mine, rules: mine.rules.map((rule) => ({ ...rule, expiresAt: '2099-01-01T00:00:00.000Z' })) },
  ];
  expect(others.map((values) => presetOf(values, address))).toEqual(others.map(() => null));
  expect(presetOf(mine, '203.0.113.8')).toBe(null);
});
