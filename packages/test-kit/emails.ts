import { type MailKind, purposeOf } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

/** Gives a user an address as if they had opened the link that verifies it. */
export async function giveEmail(sql: AnySql, userId: number, address: string): Promise<void> {
  await sql`
    update auth.email_addresses set ended_at = now() where user_id = ${userId} and ended_at is null`;
  await sql`
    insert into auth.email_addresses (user_id, address, address_key, verified_at)
    values (${userId}, ${address}, ${address.toLowerCase()}, now())`;
}

/** Lets an email that a test orders have its link, as auth does that orders it. */
export async function giveLink(
  sql: AnySql,
  { cause, userId, kind }: { readonly cause: string; readonly userId: number; readonly kind: MailKind },
): Promise<void> {
  const purpose = purposeOf(kind);
  if (!purpose) return;
  await sql`
    insert into auth.one_time_tokens (id, user_id, purpose, address_id, expires_at)
    select ${cause}, user_id, ${purpose}, id, now() + interval '1 hour' from auth.email_addresses
    where user_id = ${userId} and ended_at is null`;
}
