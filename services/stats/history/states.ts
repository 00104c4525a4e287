import type { EventOf, ProxyState } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { Concerned } from './origin.ts';

/**
 * Keeps what a proxy was from a moment on, and whose its tunnel is; once, however often it is told.
 * @returns whose history has gone on
 */
export async function keepState(tx: Tx, state: ProxyState): Promise<Concerned[]> {
  const kept = tx.sql`
    insert into states (proxy_id, version, at, state)
    values (${state.proxyId}, ${state.version}, ${state.at}, ${meaningOf(state)})
    on conflict (proxy_id, version) do nothing`;
  const owners = tx.sql<Concerned[]>`select id, user_id from owners where proxy_id = ${state.proxyId}`;
  const tunnel =
    state.tunnelId === null
      ? []
      : [
          tx.sql`
            insert into tunnels (tunnel_id, proxy_id) values (${state.tunnelId}, ${state.proxyId})
            on conflict (tunnel_id) do nothing`,
        ];
  // Sent together: one way to the database and back.
  const [{ count }, concerned] = await Promise.all([kept, owners, ...tunnel]);
  return count > 0 ? [...concerned] : [];
}

/** What visitors have of a proxy. One that is being set up is neither up nor down. */
function meaningOf({ status, deleted }: ProxyState): 'up' | 'down' | 'unknown' | 'gone' {
  if (deleted) return 'gone';
  if (status === 'pending') return 'unknown';
  return status === 'active' ? 'up' : 'down';
}

/** Learns from a snapshot whose a proxy is, and its state, should its measurement have been lost. */
export async function keepSnapshot(tx: Tx, proxy: EventOf<'proxy'>): Promise<void> {
  const { id, proxyId, userId, version, status, tunnelId, changedAt, deleted } = proxy;
  const owner = tx.sql`
    insert into owners (proxy_id, id, user_id) values (${id}, ${proxyId}, ${userId}) on conflict do nothing`;
  const state =
    changedAt && keepState(tx, { proxyId: id, version, at: changedAt, status, tunnelId, deleted });
  await Promise.all([owner, state]);
}
