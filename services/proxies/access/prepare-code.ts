import { createHash, randomInt } from 'node:crypto';
import type { InternalCalls, Language, ResponseOf, Verb } from '@talpa/contracts';
import type { Sql, TransactionSql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';

/** Emails to one address in 15 minutes whose code nobody has entered, and to all in an hour, of one owner's proxies together. */
const most = { perAddress: 3, perOwner: 60 };

interface RequestRow {
  readonly ownerId: number;
  readonly address: string;
  readonly host: string;
  readonly language: Language;
  readonly stateHash: Buffer;
}

const sha256 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * Where the email with a code goes, and the code: only here it is decided whether the address is listed, so that the visitor who
 * requested it sees no difference. Another attempt to send it makes another code.
 */
export const prepareAccessCode: Verb<InternalCalls['proxies.prepareAccessCode'], ProxiesContext> = (
  { sql },
  { codeId },
) => makeAccessCode(sql, codeId);

/** The same, on a database alone. */
export const makeAccessCode = (
  sql: Sql,
  codeId: string,
): Promise<ResponseOf<InternalCalls['proxies.prepareAccessCode']>> =>
  sql.begin(async (tx) => {
    const [request] = await tx<RequestRow[]>`
      select proxies.user_id as owner_id, address, host, language, state_hash
      from access_email_codes join access_policies using (proxy_uuid) join proxies on proxies.uuid = proxy_uuid
      where access_email_codes.id = ${codeId} and counts_until > now() + interval '10 minutes' and removed_at is null
        and policy_version = access_policies.version and address = any(emails)
      for update of access_email_codes`;
    if (!request || !(await mayBeSent(tx, codeId, request))) return null;
    const { address, host, language, stateHash } = request;
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    // Who knows the hash finds the code, but not what the browser has, without which it opens nothing.
    await tx`
      update access_email_codes set code_hash = ${sha256(stateHash, code)}, expires_at = now() + interval '10 minutes'
      where id = ${codeId}`;
    return { address, host, language, code };
  });

/** Counts the email, at its first attempt. @returns whether fewer than the limits were sent */
async function mayBeSent(
  tx: TransactionSql,
  codeId: string,
  { ownerId, address }: RequestRow,
): Promise<boolean> {
  // Of emails that are prepared at once each counts the others.
  await tx`select lock_transaction(${`code mails ${ownerId}`})`;
  const addressHash = sha256(address);
  const [counted] = await tx<{ toAddress: number; ofOwner: number }[]>`
    select count(*) filter (where address_hash = ${addressHash} and sent_at > now() - interval '15 minutes') as to_address,
      count(*) as of_owner
    from access_code_mails
    where owner_id = ${ownerId} and sent_at > now() - interval '1 hour' and code_id <> ${codeId}`;
  if (!counted || counted.toAddress >= most.perAddress || counted.ofOwner >= most.perOwner) return false;
  await tx`
    insert into access_code_mails (code_id, owner_id, address_hash) values (${codeId}, ${ownerId}, ${addressHash})
    on conflict do nothing`;
  return true;
}
