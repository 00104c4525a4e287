import type { AuditAction, AuditTarget } from '@talpa/contracts';
import type { Input } from '@talpa/panel-kit/core';
import { anId, type ListAddress, oneOf } from '@talpa/panel-kit/table';
import { de } from './texts-de.ts';

const below = <T extends string>(prefix: string) =>
  Object.keys(de)
    .filter((key) => key.startsWith(prefix) && key !== prefix)
    .map((key) => key.slice(prefix.length) as T);
/** In the order of the table. */
export const actions = below<AuditAction>('action.');
export const targetKinds = below<AuditTarget['kind']>('target.');

/** `2026-12-05`, a day in the reader's time zone. */
const aDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

/** What the address says the trail is looked through for. */
export const auditOptions = {
  sorts: [],
  filters: {
    actor: anId,
    subject: anId,
    action: oneOf(actions),
    targetKind: oneOf(targetKinds),
    targetId: (text: string) => text.slice(0, 64) || undefined,
    from: aDay,
    to: aDay,
  },
} as const;
export type AuditAddress = ListAddress<never, (typeof auditOptions)['filters']>;

/** The page's address for a filter, from the newest row on. */
export function addressOf(filter: AuditAddress['filters']): string {
  return `/admin/audit?${new URLSearchParams(Object.entries(filter).map(([key, value]) => [key, String(value)]))}`;
}

const midnight = (day: string, daysLater = 0) => {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date.toISOString();
};

/** What the server is asked for: moments in place of days. */
export function requestOf({ from, to, ...rest }: AuditAddress['input']): Input<'GET /api/admin/audit'> {
  return {
    ...rest,
    ...(from ? { from: midnight(from) } : {}),
    ...(to ? { to: midnight(to, 1) } : {}),
  };
}
