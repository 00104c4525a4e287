import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { type SealedSecret, seal, unseal } from '@talpa/service-kit/sealed-secret';
import { Client, crypto } from 'acme-client';
import type { LastResponse } from './authority-calls.ts';
import { CertificateError } from './problems.ts';

export interface AccountSettings {
  readonly ACME_EMAIL: string;
  readonly ACME_DIRECTORY: string;
  readonly ACME_EAB_KEY_ID?: string | undefined;
  readonly ACME_EAB_KEY?: string | undefined;
}

interface AccountRow extends SealedSecret {
  readonly url: string | null;
}

/** The authority is asked so often and so fast for what is still pending: an order takes some seconds. */
const polling = { backoffAttempts: 25, backoffMin: 250, backoffMax: 3_000 } as const;

/**
 * Opens our account at the authority, registering it the first time. All processes of an installation use the same.
 * @param keys TOKEN_KEYS
 */
export async function openAccount(
  sql: Sql,
  keys: KeyRing,
  settings: AccountSettings,
  last: LastResponse,
): Promise<Client> {
  const { ACME_DIRECTORY: directory, ACME_EAB_KEY_ID: kid, ACME_EAB_KEY: hmacKey } = settings;
  const clientOf = (row: AccountRow) =>
    new Client({
      ...polling,
      directoryUrl: directory,
      accountKey: unseal(keys, 'TOKEN_KEYS', directory, row),
      ...(row.url ? { accountUrl: row.url } : {}),
      ...(kid && hmacKey ? { externalAccountBinding: { kid, hmacKey } } : {}),
    });
  const known = await accountRow(sql, keys, directory);
  if (known.url) return clientOf(known);
  // If two orders registered the same key at once, an authority could fail one of them.
  return inTurn(async () => {
    const row = await accountRow(sql, keys, directory);
    const client = clientOf(row);
    if (!row.url) await register(sql, client, settings, last);
    return client;
  });
}

let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

async function register(
  sql: Sql,
  client: Client,
  settings: AccountSettings,
  last: LastResponse,
): Promise<void> {
  const { ACME_EMAIL: email, ACME_DIRECTORY: directory } = settings;
  try {
    await client.createAccount({ termsOfServiceAgreed: true, contact: [`mailto:${email}`] });
  } catch (error) {
    const { problem, status = 0 } = last;
    // Any refusal here concerns the account: a wrong external account is `malformed` or `unauthorized`, say.
    if (problem && problem.type !== 'rateLimited' && status < 500)
      throw new CertificateError('account_refused', problem.detail, { cause: error });
    throw error;
  }
  await sql`update acme_accounts set url = ${client.getAccountUrl()} where directory = ${directory}`;
}

/** The authority knows the account no more: it is registered again with the next order. */
export async function forgetAccount(sql: Sql, directory: string): Promise<void> {
  await sql`update acme_accounts set url = null where directory = ${directory}`;
}

async function accountRow(sql: Sql, keys: KeyRing, directory: string): Promise<AccountRow> {
  const find = async () => {
    const [row] = await sql<AccountRow[]>`
      select url, secret, key_id from acme_accounts where directory = ${directory}`;
    return row;
  };
  const known = await find();
  if (known) return known;
  const { secret, keyId } = seal(keys, directory, await crypto.createPrivateEcdsaKey());
  await sql`
    insert into acme_accounts (directory, secret, key_id) values (${directory}, ${secret}, ${keyId})
    on conflict (directory) do nothing`;
  const made = await find();
  if (!made) throw new Error('the account has disappeared');
  return made;
}
