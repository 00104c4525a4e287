import type { Certificate } from '@talpa/contracts';
import { z } from 'zod';
import { operation } from '../api/operation.ts';

interface Row {
  readonly name: string;
  readonly state: Certificate['state'];
  readonly notAfter: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly problem: Certificate['problem'];
  readonly detail: string | null;
  readonly failedAt: Date | null;
}

const maximum = 1_000;

/** The certificates, the first to expire first; null where none are ordered. */
export const listCertificates = operation({
  name: 'listCertificates',
  input: z.object({}),
  run: async ({ sql, keeper }) => {
    if (!keeper) return null;
    const rows = await sql<Row[]>`
      select name, not_after, nullif(attempt_at, 'infinity') as next_attempt_at, problem, detail, failed_at,
        case when not_after < now() then 'expired' when failures > 0 then 'failing'
          when chain is null then 'pending' else 'valid' end as state
      from certificates order by not_after nulls first, name limit ${maximum}`;
    return rows.map((row) => ({ ...row, ...timesOf(row) }));
  },
});

const timesOf = ({ notAfter, nextAttemptAt, failedAt }: Row) => ({
  notAfter: notAfter?.toISOString() ?? null,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  failedAt: failedAt?.toISOString() ?? null,
});
