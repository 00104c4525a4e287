import { createHash } from 'node:crypto';
import { AppError } from '../app-error.ts';
import type { CallContext } from '../bus/call-context.ts';
import type { AnySql, Sql } from './sql.ts';
import type { Tx } from './transaction.ts';

/** For so long the same key means the same create. */
const kept = '24 hours';

/** Thrown inside a create's transaction when another one with its key was faster. */
class Repeated extends Error {
  readonly reference: string;
  constructor(reference: string) {
    super('made before');
    this.reference = reference;
  }
}

interface Create<T> {
  readonly context: Pick<CallContext, 'idempotencyKey' | 'actor'> & { readonly sql: Sql };
  readonly call: string;
  readonly input: object;
  /** Makes the row; in its transaction it claims the key for the row's reference. */
  create(claim: (tx: Tx, reference: string) => Promise<void>): Promise<T>;
  /** Answers what the first create with this key has made. */
  repeat(reference: string): Promise<T>;
}

/**
 * Runs a create once for each Idempotency-Key of its caller; without a key each time.
 * @throws AppError `idempotency_key_reused` when the key came with another input
 */
export async function once<T>({ context, call, input, create, repeat }: Create<T>): Promise<T> {
  const { idempotencyKey: key, actor, sql } = context;
  if (key === undefined || !actor) return create(async () => {});
  const wanted = { userId: actor.userId, call, key, hash: hashOf(input) };
  const earlier = await find(sql, wanted);
  if (earlier !== null) return repeat(earlier);
  let isOurs = false;
  try {
    return await create(async (tx, reference) => {
      await tx.sql`
        delete from idempotency_keys
        where user_id = ${wanted.userId} and created_at < now() - ${kept}::interval`;
      const { count } = await tx.sql`
        insert into idempotency_keys (user_id, call, key, input_hash, reference)
        values (${wanted.userId}, ${call}, ${key}, ${wanted.hash}, ${reference}) on conflict do nothing`;
      isOurs = count === 1;
      if (isOurs) return;
      const faster = await find(tx.sql, wanted);
      if (faster !== null) throw new Repeated(faster);
    });
  } catch (error) {
    if (error instanceof Repeated) return repeat(error.reference);
    // Refused because of the very row that the same create, a moment faster, has made?
    const faster = error instanceof AppError && !isOurs ? await find(sql, wanted) : null;
    if (faster !== null) return repeat(faster);
    throw error;
  }
}

/** Gives a key back: what was made with it was refused and is gone. */
export async function releaseKey(tx: Tx, reference: string): Promise<void> {
  await tx.sql`delete from idempotency_keys where reference = ${reference}`;
}

/** Forgets the keys of somebody who is gone. */
export async function forgetKeys(tx: Tx, userId: number): Promise<void> {
  await tx.sql`delete from idempotency_keys where user_id = ${userId}`;
}

async function find(
  sql: AnySql,
  { userId, call, key, hash }: { userId: number; call: string; key: string; hash: Buffer },
): Promise<string | null> {
  const [row] = await sql<{ inputHash: Buffer; reference: string }[]>`
    select input_hash, reference from idempotency_keys
    where user_id = ${userId} and call = ${call} and key = ${key} and created_at > now() - ${kept}::interval`;
  if (!row) return null;
  if (!hash.equals(row.inputHash)) throw new AppError('idempotency_key_reused');
  return row.reference;
}

/** Of all that was asked for but the password: a hash of that could be tried out. */
function hashOf(input: object): Buffer {
  const { password: _secret, ...rest } = input as Record<string, unknown>;
  const sorted = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest();
}
