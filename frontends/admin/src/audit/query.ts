import type { AuditRow } from '@talpa/contracts';
import { type ApiError, call } from '@talpa/panel-kit/core';
import { queryOptions } from '@tanstack/react-query';
import { type AuditFilter, requestOf } from './filter.ts';

/** One page of the trail. */
export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** The row after which older ones follow; null on the last page. */
  readonly next: string | null;
}

/** A page of the trail; rows come at any time, so it is fetched again whenever it is opened. */
export function auditQuery(filter: AuditFilter, cursor: string | null, size = 50) {
  return queryOptions<AuditPage, ApiError>({
    queryKey: ['/api/admin/audit', filter, cursor, size],
    queryFn: async ({ signal }) => {
      // One more than is shown tells whether it goes on.
      const wanted = { ...requestOf(filter), limit: size + 1, ...(cursor ? { cursor } : {}) };
      const found = await call('GET /api/admin/audit', wanted, { signal, language: 'de' });
      const rows = found.slice(0, size);
      return { rows, next: found.length > size ? (rows.at(-1)?.id ?? null) : null };
    },
    refetchOnMount: 'always',
  });
}
