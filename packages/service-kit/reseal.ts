import type { Sql } from './database/sql.ts';
import type { KeyRing } from './key-ring.ts';
import type { Lifecycle } from './process/lifecycle.ts';
import { seal, unseal } from './sealed-secret.ts';

const intervalMs = 2_000;
const batch = 200;

interface SealedTable {
  readonly sql: Sql;
  readonly keys: KeyRing;
  /** What the operator calls the keys. */
  readonly setting: string;
  /** A table with the columns `secret` and `key_id`. */
  readonly table: string;
  /** The column that names the owner of a secret. */
  readonly owner: string;
}

/** Encrypts a table's secrets anew whenever another key has become the current one, so that older keys can go. */
export function startResealing(table: SealedTable, lifecycle: Lifecycle): void {
  let doneFor: string | null = null;
  const look = async () => {
    const { id } = table.keys.current;
    if (id === doneFor) return;
    let sealed = 0;
    for (let count = batch; count === batch; sealed += count) count = await resealSome(table);
    doneFor = id;
    if (sealed > 0)
      lifecycle.log.info({ sealed, key: id, table: table.table }, 'secrets were re-encrypted with a new key');
  };
  lifecycle.every(intervalMs, look, { failed: 'secrets could not be re-encrypted, retrying' });
}

/** @returns how many secrets it has encrypted anew; fewer than a batch when none is left */
async function resealSome({ sql, keys, setting, table, owner }: SealedTable): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<{ owner: string | number; secret: Buffer; keyId: string }[]>`
      select ${sql(owner)} as owner, secret, key_id from ${sql(table)} where key_id <> ${keys.current.id}
      order by ${sql(owner)} limit ${batch} for update`;
    for (const row of rows) {
      const name = String(row.owner);
      const sealed = seal(keys, name, unseal(keys, setting, name, row));
      await tx`
        update ${sql(table)} set secret = ${sealed.secret}, key_id = ${sealed.keyId}
        where ${sql(owner)} = ${row.owner}`;
    }
    return rows.length;
  });
}
