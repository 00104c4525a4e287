import { asksForFactor } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { AuthContext } from '../context.ts';

/** What a user may do now, whether a session or an API key acts in their name. */
export interface RightsRow {
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly suspensionReason: string | null;
  readonly lacksEmail: boolean;
  /** There is one; of a session: and it has proven one or set it up. */
  readonly hasFactor: boolean;
}

/** Whether a row of `users` has a second factor: an app, or a passkey that can be used at the panel's present address. */
const factorOf = (sql: AnySql, passkeyHost: string | null) => sql`
  exists (select 1 from authenticators where user_id = users.id and confirmed_at is not null)
  or exists (select 1 from passkeys where user_id = users.id and host = ${passkeyHost})`;

/** Whether a user has one. */
export async function hasFactor(
  sql: AnySql,
  { passkeyHost }: Pick<AuthContext, 'passkeyHost'>,
  userId: number,
): Promise<boolean> {
  const [row] = await sql`select 1 from users where id = ${userId} and (${factorOf(sql, passkeyHost)})`;
  return row !== undefined;
}

/** The columns of a `RightsRow`, of `users`. A suspended administrator has no such rights. */
export const rightsColumns = (
  sql: AnySql,
  { emailRequired, passkeyHost }: Pick<AuthContext, 'emailRequired' | 'passkeyHost'>,
) => sql`
  users.id as user_id, is_admin and suspended_at is null as is_admin, suspension_reason,
  ${emailRequired}::boolean and not exists (
    select 1 from email_addresses where user_id = users.id and verified_at is not null and ended_at is null
  ) as lacks_email,
  ${factorOf(sql, passkeyHost)} as has_factor`;

/** The same as an actor has it. */
export function rightsOf(row: RightsRow, { factorPolicy }: Pick<AuthContext, 'factorPolicy'>) {
  const { userId, isAdmin, suspensionReason, lacksEmail } = row;
  return {
    userId,
    isAdmin,
    ...(suspensionReason === null ? {} : { suspensionReason }),
    ...(lacksEmail ? { lacksEmail: true as const } : {}),
    ...(asksForFactor(factorPolicy, row) && !row.hasFactor ? { lacksFactor: true as const } : {}),
  };
}
