import { includesRole, type MemberRole } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import type { AnySql } from '@talpa/service-kit/database/sql';
import { findMembership, type ProxyCaller } from '../proxy/find.ts';
import type { ProxyRow } from '../proxy/row.ts';

export interface Grant {
  readonly role: MemberRole;
  readonly memberUntil: Date | null;
}

/** What was asked for, as it is stored. @throws AppError `invalid_input`: the end is in the past */
export function grantOf(input: { role: MemberRole; memberUntil: string | null }): Grant {
  const memberUntil = input.memberUntil === null ? null : new Date(input.memberUntil);
  if (memberUntil && memberUntil <= new Date()) throw invalidField('memberUntil', 'inPast');
  return { role: input.role, memberUntil };
}

/** The values of a grant, as the API names them. */
export const grantState = ({ role, memberUntil }: Grant) => ({
  role,
  memberUntil: memberUntil?.toISOString() ?? null,
});

/**
 * Nobody grants more than they have, neither a higher role nor a longer time.
 * @throws AppError `role_missing`, `invalid_input`
 */
export async function refuseGreaterGrant(
  sql: AnySql,
  proxy: ProxyRow,
  { actor }: ProxyCaller,
  { role, memberUntil }: Grant,
): Promise<void> {
  const own = await findMembership(sql, proxy, actor);
  if (!own) return;
  if (!includesRole(own.role, role)) throw new AppError('role_missing');
  if (own.until && (!memberUntil || memberUntil > new Date(own.until)))
    throw invalidField('memberUntil', 'afterOwnEnd');
}

/** What the audit trail shows of a new grant: no end is no news. */
export const auditedGrant = ({ role, memberUntil }: Grant) =>
  firstState({ role, ...(memberUntil && { memberUntil: memberUntil.toISOString() }) });
