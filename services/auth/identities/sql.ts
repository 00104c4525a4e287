import type { Identity, SignInProvider } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { firstBytes } from '@talpa/service-kit/text';
import type { AuthContext } from '../context.ts';

export interface IdentityRow {
  readonly id: number;
  readonly userId: number;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly linkedAt: Date;
  readonly lastUsedAt: Date | null;
}

const columns = (sql: AnySql) => sql`id, user_id, issuer, subject, name, linked_at, last_used_at`;

/** An identity as its owner and administrators see it. */
export const publicIdentity = (
  { id, issuer, name, linkedAt, lastUsedAt }: IdentityRow,
  ofIssuer: (issuer: string) => SignInProvider | null,
): Identity => ({
  id,
  issuer,
  name,
  provider: ofIssuer(issuer),
  linkedAt: linkedAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** A user's identities, the oldest first. */
export async function identitiesOf(
  { sql, providers }: Pick<AuthContext, 'sql' | 'providers'>,
  userId: number,
): Promise<Identity[]> {
  const rows = await sql<IdentityRow[]>`
    select ${columns(sql)} from identities where user_id = ${userId} order by id`;
  return rows.map((row) => publicIdentity(row, providers.ofIssuer));
}

export async function countIdentities(sql: AnySql, userId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from identities where user_id = ${userId}`;
  return row?.count ?? 0;
}

/** Who has linked an identity. */
export async function findIdentity(
  sql: AnySql,
  issuer: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  const [row] = await sql<IdentityRow[]>`
    select ${columns(sql)} from identities where issuer = ${issuer} and subject = ${subject}`;
  return row;
}

/** A user's own identity, for the caller alone. @throws AppError `not_found` */
export async function lockIdentity(sql: AnySql, id: number, userId: number): Promise<IdentityRow> {
  const [row] = await sql<IdentityRow[]>`
    select ${columns(sql)} from identities where id = ${id} and user_id = ${userId} for update`;
  if (!row) throw new AppError('not_found');
  return row;
}

type NewIdentity = Pick<IdentityRow, 'userId' | 'issuer' | 'subject' | 'name'> & {
  /** The cause of the email about it; null: there is none. */
  readonly announcedBy: string | null;
};

/** @returns undefined when it is linked already, to whomever */
export async function insertIdentity(tx: Tx, given: NewIdentity): Promise<IdentityRow | undefined> {
  const { userId, issuer, subject, name, announcedBy } = given;
  const [row] = await tx.sql<IdentityRow[]>`
    insert into identities (user_id, issuer, subject, name, announced_by)
    values (${userId}, ${issuer}, ${subject}, ${name}, ${announcedBy})
    on conflict (issuer, subject) do nothing
    returning ${columns(tx.sql)}`;
  return row;
}

/** Removes all identities of a user. The caller holds the user's row. @returns how many there were */
export async function removeIdentities(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx.sql`delete from identities where user_id = ${userId}`;
  return count;
}

/** The same for those that these emails announced. @param mailIds the emails' causes */
export async function removeIdentityAnnouncedBy(
  tx: Tx,
  userId: number,
  mailIds: readonly string[],
): Promise<boolean> {
  const { count } = await tx.sql`
    delete from identities where user_id = ${userId} and announced_by in ${tx.sql(mailIds)}`;
  return count > 0;
}

/** What a provider calls somebody, fit to be shown: one line of a hundred bytes. @param otherwise what is shown in place of nothing */
export function shownName(name: string, otherwise: string): string {
  const plain = (text: string) =>
    firstBytes(text.replace(/[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '').trim(), 100);
  return plain(name) || plain(otherwise);
}
