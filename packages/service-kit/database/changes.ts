import type { AuditChanges } from '@talpa/contracts';
import { AppError } from '../app-error.ts';

type Plain = string | number | boolean | null;

/** What differs between two states of something, of the fields both name, as the audit trail keeps it. */
export function changesBetween<F extends string>(
  before: Readonly<Record<F, Plain>>,
  after: Readonly<Record<F, Plain>>,
): AuditChanges {
  const names = Object.keys(after) as F[];
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { from: before[name], to: after[name] }]),
  );
}

/** What something is made of. */
export function firstState(state: Readonly<Record<string, Plain>>): AuditChanges {
  return Object.fromEntries(Object.entries(state).map(([name, to]) => [name, { to }]));
}

/**
 * Refuses a change made from values that are no longer stored: it would undo somebody else's change. Call it
 * with the row locked. A caller that sends no `expected`, or leaves a field out of it, overwrites.
 * @throws AppError `edit_conflict`
 */
export function refuseEditConflict<F extends string>(
  expected: { readonly [Name in F]?: Plain | undefined } | undefined,
  stored: Readonly<Record<NoInfer<F>, Plain>>,
): void {
  if (!expected) return;
  const names = Object.keys(expected) as F[];
  if (names.some((name) => expected[name] !== undefined && expected[name] !== stored[name]))
    throw new AppError('edit_conflict');
}
