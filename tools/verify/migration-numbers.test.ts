import { expect, it } from 'vitest';
import { findNumberFaults } from './migration-numbers.ts';

const first = 'services/auth/migrations/0001_initial.sql';

it.each([
  ['a number that another one has', [first, 'services/auth/migrations/0001_language.sql']],
  ['a number that is skipped', [first, 'services/auth/migrations/0003_language.sql']],
  ['no number', ['services/auth/migrations/initial.sql']],
])('refuses a migration with %s', (_, files) => {
  expect(findNumberFaults(files)).toHaveLength(1);
});

it('counts the migrations of each folder for itself', () => {
  const other = 'services/billing/migrations/0001_initial.sql';
  expect(findNumberFaults([first, 'services/auth/migrations/0002_language.sql', other])).toEqual([]);
});
