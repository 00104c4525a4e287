import { expect, it } from 'vitest';
import { clockFault } from './machine.ts';

it('a clock that stands before the installation is said to be wrong, one of today is not', () => {
  expect(clockFault(Date.UTC(2001, 0, 1))).toMatch(
    /^This machine's clock says 2001-01-01T.* before Talpa was installed/,
  );
  expect(clockFault()).toBeNull();
});
