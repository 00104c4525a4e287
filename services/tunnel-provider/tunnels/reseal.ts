import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ProviderContext } from '../api/operation.ts';
import { openSecret, sealSecret } from './secret.ts';
import type { TunnelRow } from './sql.ts';

const intervalMs = 2_000;
const batch = 200;

/** Encrypts secrets anew whenever another key has become the current one, so that older keys can go. */
export function startResealing(context: ProviderContext, lifecycle: Lifecycle): void {
  let doneFor: string | null = null;
  const look = async () => {
    const { id } = context.keys.current;
    if (id === doneFor) return;
    let sealed = 0;
    for (let count = batch; count === batch; sealed += count) count = await resealSome(context);
    doneFor = id;
    if (sealed > 0)
      lifecycle.log.info({ sealed, key: id }, 'tunnel secrets were re-encrypted with a new key');
  };
  lifecycle.every(intervalMs, look, { failed: 'tunnel secrets could not be re-encrypted, retrying' });
}

/** @returns how many secrets it has encrypted anew; fewer than a batch when none is left */
async function resealSome({ sql, keys }: ProviderContext): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<Pick<TunnelRow, 'id' | 'secret' | 'keyId'>[]>`
      select id, secret, key_id from tunnels where key_id <> ${keys.current.id}
      order by id limit ${batch} for update`;
    for (const row of rows) {
      const sealed = sealSecret(keys, row.id, openSecret(keys, row.id, row));
      await tx`update tunnels set secret = ${sealed.secret}, key_id = ${sealed.keyId} where id = ${row.id}`;
    }
    return rows.length;
  });
}
