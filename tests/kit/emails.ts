import { createHash, randomBytes } from 'node:crypto';
import { type LinkPurpose, type MailKind, purposeOf } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Client } from './client.ts';
import { until } from './wait.ts';

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

/** A secret for the newest link of an email to somebody: of one that is for its reader alone, no other test can have it. */
export function makeSecretOf(sql: AnySql, userId: number, purpose: LinkPurpose): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest();
  return until(`a link for ${purpose}`, async () => {
    const { count } = await sql`
      update auth.one_time_tokens set hashes = hashes || ${hash}::bytea where id = (
        select id from auth.one_time_tokens
        where user_id = ${userId} and purpose = ${purpose} and used_at is null and voided_at is null
        order by created_at desc limit 1)`;
    return count === 1 && token;
  });
}

/** The text of the newest kept email of a kind to somebody, as an administrator reads it who hands it over. */
export function readKept(admin: Client, userId: number, kind: MailKind): Promise<string> {
  return until(`an email “${kind}”`, async () => {
    const [mail] = await admin.call('GET /api/admin/mails', { userId, kind, state: 'kept' });
    return mail && (await admin.call('POST /api/admin/mails/:id/reading', { id: mail.id })).text;
  });
}
