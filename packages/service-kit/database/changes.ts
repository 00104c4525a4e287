import type { AuditChanges } from '@talpa/contracts';

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
