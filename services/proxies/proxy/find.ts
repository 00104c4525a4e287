import {
  type Actor,
  includesRole,
  type Membership,
  mayKeyReach,
  ownRoleOn,
  type ProxyRole,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { membershipOf } from './membership.ts';
import type { ProxyRow } from './row.ts';

type Whose = Pick<ProxyRow, 'id' | 'userId'>;

/** Who asks for a proxy, and what they must at least be to it; null: its owner. */
export interface ProxyCaller {
  readonly actor: Actor;
  readonly role: ProxyRole | null;
}

/**
 * A proxy that the caller may do the call with.
 * @throws AppError `not_found`: there is none, or it is not theirs in any way; `role_missing`
 */
export async function findProxy(sql: AnySql, id: number, caller: ProxyCaller): Promise<ProxyRow> {
  const [row] = await sql<ProxyRow[]>`select * from proxies where id = ${id} and removed_at is null`;
  return allowed(sql, row, caller);
}

/** The same, held until the transaction ends. */
export async function lockProxy(tx: Tx, id: number, caller: ProxyCaller): Promise<ProxyRow> {
  return allowed(tx.sql, await lockAnyProxy(tx, id), caller);
}

/** The same without a check of the caller. @throws AppError `not_found` */
export async function lockAnyProxy(tx: Tx, id: number): Promise<ProxyRow> {
  const [row] = await tx.sql<ProxyRow[]>`
    select * from proxies where id = ${id} and removed_at is null for update`;
  if (!row) throw new AppError('not_found');
  return row;
}

/** The row, if the caller may do the call with it. @throws as `findProxy` */
export async function allowed(
  sql: AnySql,
  row: ProxyRow | undefined,
  caller: ProxyCaller,
): Promise<ProxyRow> {
  const role = row && (await roleOn(sql, row, caller.actor));
  if (!row || !role) throw new AppError('not_found');
  if (!includesRole(role, caller.role ?? 'owner')) throw new AppError('role_missing');
  return row;
}

/** What somebody is to a proxy now; null: nothing, and to them it must look as if it did not exist. */
export async function roleOn(sql: AnySql, proxy: Whose, actor: Actor): Promise<ProxyRole | null> {
  return ownRoleOn(proxy, actor) ?? (await findMembership(sql, proxy, actor))?.role ?? null;
}

/** The membership by which somebody reaches a proxy; null: they do as its owner or an administrator, or not at all. */
export async function findMembership(sql: AnySql, proxy: Whose, actor: Actor): Promise<Membership | null> {
  if (ownRoleOn(proxy, actor) || !mayKeyReach(proxy.id, actor)) return null;
  return membershipOf(sql, proxy.id, actor.userId);
}
