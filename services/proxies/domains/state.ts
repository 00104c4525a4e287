import type { DomainProblem } from '@talpa/contracts';
import { type DomainRow, graceEnd } from './row.ts';

const dailyMs = 86_400_000;
const hourlyMs = 3_600_000;
const firstMs = 30_000;

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);
const earlier = (a: Date, b: Date) => (a < b ? a : b);

/** What a check changes of a domain. */
export type CheckedDomain = Pick<
  DomainRow,
  | 'state'
  | 'problem'
  | 'checkedAt'
  | 'verifiedAt'
  | 'failures'
  | 'failingSince'
  | 'checkAt'
  | 'served'
  | 'held'
>;

/**
 * What a check makes of a domain. While it is pending it is checked with growing pauses, once verified daily. What has
 * failed for `domainGraceHours` is not served any more, and is checked again only when somebody asks for it.
 * @param problem null when its records are right
 */
export function stateAfter(row: DomainRow, problem: DomainProblem | null, now: Date): CheckedDomain {
  if (problem === null)
    return {
      state: 'verified',
      problem,
      checkedAt: now,
      failures: 0,
      failingSince: null,
      verifiedAt: row.state === 'verified' ? row.verifiedAt : now,
      checkAt: later(now, dailyMs),
      served: true,
      held: true,
    };
  const failingSince = row.failingSince ?? now;
  const failures = row.failures + 1;
  const end = graceEnd(failingSince);
  const common = { problem, checkedAt: now, verifiedAt: row.verifiedAt, failures, failingSince };
  const { held } = row;
  if (now >= end || (row.state === 'failed' && !row.served))
    return { ...common, state: 'failed', checkAt: null, served: false, held };
  if (row.served) {
    const checkAt = earlier(later(now, hourlyMs), end);
    return { ...common, state: 'failed', checkAt, served: true, held };
  }
  const pauseMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 10), hourlyMs);
  return { ...common, state: 'pending', checkAt: earlier(later(now, pauseMs), end), served: false, held };
}
