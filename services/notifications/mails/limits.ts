import { createHash } from 'node:crypto';
import { limitOf } from '@talpa/contracts';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { ClaimedMail } from './sql.ts';

/** Whether an email may go to its address now, or what becomes of it. */
export type Admission =
  | { readonly result: 'sent' | 'refused' }
  | { readonly result: 'later'; readonly inMs: number };

/** Two ways to write one mailbox are one address. */
const keyOf = (address: string) => {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return createHash('sha256')
    .update(`${name}${address.slice(at)}`.normalize('NFC').toLowerCase())
    .digest();
};

/** Counts an email for its address, once however often it is tried: of all accounts together, and of all processes. */
export function admit(
  { transaction }: Pick<ServiceBase, 'transaction'>,
  { cause, kind }: Pick<ClaimedMail, 'cause' | 'kind'>,
  address: string,
): Promise<Admission> {
  const { count, hours, isDropped } = limitOf(kind);
  const key = keyOf(address);
  return transaction(async ({ sql }) => {
    await sql`select lock_transaction(${`recipient ${key.toString('hex')}`})`;
    const sent = await sql<{ cause: string; waitMs: number }[]>`
      select cause, extract(epoch from at + ${`${hours} hours`}::interval - now())::float8 * 1000 as wait_ms from recipients
      where address = ${key} and kind = ${kind} and at > now() - ${`${hours} hours`}::interval
      order by at desc limit ${count}`;
    if (sent.some((one) => one.cause === cause)) return { result: 'sent' };
    const oldest = sent[count - 1];
    if (oldest)
      return isDropped ? { result: 'refused' } : { result: 'later', inMs: Math.ceil(oldest.waitMs) };
    await sql`
      insert into recipients (cause, kind, address) values (${cause}, ${kind}, ${key})
      on conflict (cause) do update set at = now(), address = excluded.address`;
    return { result: 'sent' };
  });
}
