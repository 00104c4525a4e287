import {
  type Actor,
  type EventOf,
  entitlementAt,
  noEntitlement,
  preferences,
  type Suspension,
  type Tier,
  type User,
  usernameKey,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql, TransactionSql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { skeletonsOf } from './skeleton.ts';

export interface UserRow {
  id: number;
  username: string;
  passwordHash: string;
  /** False: nobody knows a password of that hash. */
  hasPassword: boolean;
  isAdmin: boolean;
  createdAt: Date;
  version: number;
  tier: Tier | null;
  proxyLimit: number | null;
  expiresAt: Date | null;
  suspendedAt: Date | null;
  suspensionReason: string | null;
  /** As they were saved: what was never saved has its default. */
  preferences: { readonly notifications?: unknown };
}

/** Users with the projection of their entitlement. */
export const userColumns = (sql: AnySql) => sql`
  users.id, username, password_hash, has_password, is_admin, users.created_at, users.version, tier, proxy_limit, expires_at,
    suspended_at, suspension_reason, preferences`;
export const usersTable = (sql: AnySql) => sql`
  users left join entitlements on entitlements.user_id = users.id`;
const selectUsers = (sql: AnySql) => sql`select ${userColumns(sql)} from ${usersTable(sql)}`;

export async function findUser(sql: AnySql, id: number): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`${selectUsers(sql)} where users.id = ${id}`;
  return row;
}

export async function findUserByName(sql: AnySql, username: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`${selectUsers(sql)} where username_key = ${usernameKey(username)}`;
  return row;
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
  /** Left out: yes. */
  readonly hasPassword?: boolean;
  readonly isAdmin: boolean;
}

/** @throws AppError `username_taken`, `username_similar` */
export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  const skeletons = await holdName(tx, user);
  const [row] = await tx.sql<{ createdAt: Date; version: number }[]>`
    insert into users (id, username, username_key, skeletons, password_hash, has_password, is_admin)
    values (${user.id}, ${user.username}, ${usernameKey(user.username)}, ${skeletons}, ${user.passwordHash},
      ${user.hasPassword ?? true}, ${user.isAdmin})
    on conflict (username_key) do nothing
    returning created_at, version`;
  if (!row) throw new AppError('username_taken');
  await emitUser(tx, { ...user, ...row, suspendedAt: null, suspensionReason: null, preferences: {} });
}

/**
 * Keeps others from taking a name, or one that looks like it, until the transaction ends.
 * @returns the name's skeletons
 * @throws AppError `username_taken`, `username_similar` when somebody else has one already
 */
export async function holdName(
  tx: Tx,
  { id, username }: Pick<NewUser, 'id' | 'username'>,
): Promise<string[]> {
  const skeletons = skeletonsOf(username).toSorted();
  for (const skeleton of skeletons) await tx.sql`select lock_transaction(${`username ${skeleton}`})`;
  const key = usernameKey(username);
  const [other] = await tx.sql<{ isSame: boolean }[]>`
    select username_key = ${key} as is_same from users
    where (username_key = ${key} or skeletons && ${skeletons}) and id <> ${id} order by 1 desc limit 1`;
  if (other) throw new AppError(other.isSame ? 'username_taken' : 'username_similar');
  return skeletons;
}

/** Publishes a user's public state. */
export async function emitUser(
  tx: Tx,
  user: Pick<
    UserRow,
    | 'id'
    | 'username'
    | 'isAdmin'
    | 'createdAt'
    | 'version'
    | 'suspendedAt'
    | 'suspensionReason'
    | 'preferences'
  >,
): Promise<void> {
  await tx.emit('user', snapshotOf(user));
}

/** What others may know of a user. */
export function snapshotOf(user: Parameters<typeof emitUser>[1]): EventOf<'user'> {
  const { id, username, isAdmin, version } = user;
  const createdAt = user.createdAt.toISOString();
  const notifications = preferences.shape.notifications.parse(user.preferences.notifications);
  const suspension = suspensionOf(user);
  return { id, username, isAdmin, createdAt, suspension, notifications, version, deleted: false };
}

/** What others may know of one who is gone. No name: it outlives the account. */
export function tombstoneOf(user: Pick<UserRow, 'id' | 'createdAt' | 'version'>): EventOf<'user'> {
  const gone = { username: '', isAdmin: false, suspendedAt: null, suspensionReason: null, preferences: {} };
  return { ...snapshotOf({ ...user, ...gone }), deleted: true };
}

/** Holds a user's row: others who use their tokens, or change the password or what signs them in, wait. */
export async function lockUser(
  tx: Tx,
  userId: number,
): Promise<Pick<UserRow, 'username' | 'isAdmin'> | undefined> {
  const [row] = await tx.sql<Pick<UserRow, 'username' | 'isAdmin'>[]>`
    select username, is_admin from users where id = ${userId} for no key update`;
  return row;
}

/** Makes other transactions wait while it is decided whether an administrator may go. */
export async function lockAdministrators(sql: TransactionSql): Promise<void> {
  await sql`select lock_transaction('administrators')`;
}

/**
 * The same for an administrator's call about users, who must still be one now: since they were let in another may
 * have deleted, demoted or suspended them, or ended their session or revoked their API key.
 * @throws AppError `not_signed_in`, `forbidden`
 */
export async function lockAsAdministrator(
  sql: TransactionSql,
  { sessionId, apiKey }: Pick<Actor, 'sessionId' | 'apiKey'>,
): Promise<void> {
  await lockAdministrators(sql);
  const [row] = await sql<{ isAdmin: boolean }[]>`
    select is_admin and suspended_at is null as is_admin from users
    where id = (select user_id from sessions where id = ${sessionId})
      or id = (select user_id from api_keys where id = ${apiKey?.id ?? null})`;
  if (!row) throw new AppError(apiKey ? 'api_key_invalid' : 'not_signed_in');
  if (!row.isAdmin) throw new AppError('forbidden');
}

/** Whether there is an administrator besides this user who is not suspended. */
export async function hasOtherAdministrator(sql: TransactionSql, userId: number): Promise<boolean> {
  const [row] = await sql`
    select 1 from users where is_admin and suspended_at is null and id <> ${userId} limit 1`;
  return row !== undefined;
}

/** Since when and why a user is suspended; null when they are not. */
export function suspensionOf({
  suspendedAt,
  suspensionReason,
}: Pick<UserRow, 'suspendedAt' | 'suspensionReason'>): Suspension | null {
  if (!suspendedAt || suspensionReason === null) return null;
  return { reason: suspensionReason, since: suspendedAt.toISOString() };
}

/** A user as the API shows them: with what they are entitled to now. */
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
    suspension: suspensionOf(row),
  };
}

/** A user as they see themselves: while they are suspended an administrator's rights rest. */
export function ownUser(row: UserRow): User {
  return { ...publicUser(row), isAdmin: row.isAdmin && row.suspendedAt === null };
}
