import type { AuditAction, AuditTarget } from '@talpa/contracts';
import type { Input } from '@talpa/panel-kit/core';
import { useSearchParams } from '@talpa/panel-kit/router';
import { useMemo } from 'react';
import { de } from './texts-de.ts';

/** What the address says the trail is looked through for. Days as `2026-12-05`, in the reader's time zone. */
export interface AuditFilter {
  readonly actor?: number;
  readonly subject?: number;
  readonly action?: AuditAction;
  readonly targetKind?: AuditTarget['kind'];
  readonly targetId?: string;
  readonly from?: string;
  readonly to?: string;
}
type FilterName = keyof AuditFilter;

const below = <T extends string>(prefix: string) =>
  Object.keys(de)
    .filter((key) => key.startsWith(prefix) && key !== prefix)
    .map((key) => key.slice(prefix.length) as T);
/** In the order of the table. */
export const actions = below<AuditAction>('action.');
export const targetKinds = below<AuditTarget['kind']>('target.');

const idOf = (text: string | null) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);
const dayOf = (text: string | null) =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/** The filter in an address; what makes no sense there is left out. */
export function filterOf(params: URLSearchParams): AuditFilter {
  const entries: readonly (readonly [FilterName, AuditFilter[FilterName]])[] = [
    ['actor', idOf(params.get('actor'))],
    ['subject', idOf(params.get('subject'))],
    ['action', actions.find((one) => one === params.get('action'))],
    ['targetKind', targetKinds.find((one) => one === params.get('targetKind'))],
    ['targetId', params.get('targetId')?.slice(0, 64) || undefined],
    ['from', dayOf(params.get('from'))],
    ['to', dayOf(params.get('to'))],
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The page's address for a filter, from the newest row on. */
export function addressOf(filter: AuditFilter): string {
  const params = new URLSearchParams(Object.entries(filter).map(([key, value]) => [key, String(value)]));
  return params.size > 0 ? `/admin/audit?${params}` : '/admin/audit';
}

const midnight = (day: string, daysLater = 0) => {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
};

/** What the server is asked for. */
export function requestOf({ from, to, ...rest }: AuditFilter): Input<'GET /api/admin/audit'> {
  return {
    ...rest,
    ...(from ? { from: midnight(from) } : {}),
    ...(to ? { to: midnight(to, 1) } : {}),
  };
}

/** The filter and the page in the address; a changed filter begins with the newest rows. */
export function useAuditAddress() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => filterOf(params), [params]);
  return {
    filter,
    /** The last row of the page before; null on the first. */
    cursor: params.get('cursor'),
    setFilter: (next: { readonly [K in FilterName]?: AuditFilter[K] | undefined }) => {
      const kept = Object.entries(next).filter(([, value]) => value !== undefined && value !== '');
      setParams(
        kept.map(([key, value]): [string, string] => [key, String(value)]),
        { preventScrollReset: true },
      );
    },
    /** The address of the page after a row; the present filter stays. */
    after: (id: string) => `?${new URLSearchParams([...withoutCursor(params), ['cursor', id]])}`,
    newest: `?${new URLSearchParams(withoutCursor(params))}`,
  };
}

const withoutCursor = (params: URLSearchParams) => [...params].filter(([key]) => key !== 'cursor');
