import { entitlementAt, noEntitlement, type Tier, type User } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql, TransactionSql } from '@talpa/service-kit/database/connect';
import type { Tx } from '@talpa/service-kit/database/transaction';

export interface UserRow {
  id: number;
  username: string;
  passwordHash: string;
  isAdmin: boolean;
  createdAt: Date;
  version: number;
  tier: Tier | null;
  proxyLimit: number | null;
  expiresAt: Date | null;
}

/** Names are unique without regard to case. */
export const usernameKey = (username: string) => username.normalize('NFC').toLowerCase();

/** Users with the copy of their entitlement. */
const selectUsers = (sql: AnySql) => sql`
  select users.id, username, password_hash, is_admin, users.created_at, users.version, tier, proxy_limit, expires_at
  from users left join entitlements on entitlements.user_id = users.id`;

export async function findUser(sql: AnySql, id: number): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`${selectUsers(sql)} where users.id = ${id}`;
  return row;
}

export async function findUserByName(sql: AnySql, username: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`${selectUsers(sql)} where username_key = ${usernameKey(username)}`;
  return row;
}

export async function allUsers(sql: AnySql): Promise<UserRow[]> {
  return sql<UserRow[]>`${selectUsers(sql)} order by users.id limit 1000`;
}

/** A new user's id, known before the row is written, so that its events can be waited for. */
export async function nextUserId(sql: AnySql): Promise<number> {
  const [row] = await sql<{ id: number }[]>`select nextval(pg_get_serial_sequence('users', 'id')) as id`;
  if (!row) throw new Error('the sequence of user ids gave nothing');
  return row.id;
}

interface NewUser {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  readonly isAdmin: boolean;
}

/** @throws AppError `username_taken` */
export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  const [row] = await tx.sql<{ createdAt: Date; version: number }[]>`
    insert into users (id, username, username_key, password_hash, is_admin)
    values (${user.id}, ${user.username}, ${usernameKey(user.username)}, ${user.passwordHash}, ${user.isAdmin})
    on conflict (username_key) do nothing
    returning created_at, version`;
  if (!row) throw new AppError('username_taken');
  await emitUser(tx, { ...user, ...row });
}

/** Tells the others a user's public state. */
export async function emitUser(
  tx: Tx,
  user: Pick<UserRow, 'id' | 'username' | 'isAdmin' | 'createdAt' | 'version'>,
): Promise<void> {
  const { id, username, isAdmin, version } = user;
  const createdAt = user.createdAt.toISOString();
  await tx.emit('user', { id, username, isAdmin, createdAt, version, deleted: false });
}

/** Holds everybody else off while it is decided whether an administrator may go. */
export async function lockAdministrators(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('administrators'))`;
}

/** Whether there is an administrator besides this user. */
export async function hasOtherAdministrator(sql: TransactionSql, userId: number): Promise<boolean> {
  const [row] = await sql`select 1 from users where is_admin and id <> ${userId} limit 1`;
  return row !== undefined;
}

/** A user as the API shows him: with what he is entitled to now. */
export function publicUser(row: UserRow): User {
  const stored =
    row.proxyLimit === null
      ? noEntitlement
      : {
          tier: row.tier,
          proxyLimit: row.proxyLimit,
          expiresAt: row.expiresAt?.toISOString() ?? null,
        };
  const now = entitlementAt(stored, new Date());
  return {
    id: row.id,
    username: row.username,
    isAdmin: row.isAdmin,
    proxyLimit: now.proxyLimit,
    subscriptionTier: now.tier,
    subscriptionExpiry: now.expiresAt,
  };
}
