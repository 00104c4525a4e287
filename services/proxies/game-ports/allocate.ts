import type { GamePortInput } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxyRow } from '../proxy/row.ts';
import { deleteReleasedPorts } from '../reservations.ts';
import type { ProxiesSettings } from '../settings.ts';

/** Others may take a free port between the choice and the insert; with so many tries they have to take all. */
const mostTries = 50;

/**
 * Stores a game port at a random free port of the range. One that was removed in the last days goes to nobody but the user who
 * had it, and goes to them first: else they could reserve the whole range by removing and adding.
 * @throws AppError `game_ports_exhausted`
 */
export async function allocatePort(
  tx: Tx,
  proxy: ProxyRow,
  { first, last }: NonNullable<ProxiesSettings['EDGE_TCP_PORTS']>,
  input: GamePortInput,
): Promise<number> {
  const { sql } = tx;
  await deleteReleasedPorts(sql);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const [free] = await sql<{ port: number }[]>`
      select port from generate_series(${first}::integer, ${last}::integer) as port
      where not exists (
        select 1 from game_ports
        where public_port = port and (removed_at is null or user_id <> ${proxy.userId})
      )
      order by exists (
        select 1 from game_ports
        where public_port = port and removed_at is not null and user_id = ${proxy.userId}
      ) desc, random() limit 1`;
    if (!free) throw new AppError('game_ports_exhausted');
    // Waits for a transaction that has taken it: if that is rolled back, the port is free after all.
    const [added] = await sql<{ id: number }[]>`
      insert into game_ports (proxy_id, proxy_uuid, user_id, public_port, target_host, target_port, preset, rules, proxy_protocol)
      values (${proxy.id}, ${proxy.uuid}, ${proxy.userId}, ${free.port}, ${proxy.serverIp}, ${input.targetPort},
        ${input.preset}, ${sql.json(input.rules)}, ${input.proxyProtocol})
      on conflict (public_port) where removed_at is null do nothing
      returning id`;
    if (!added) continue;
    await sql`
      delete from game_ports
      where public_port = ${free.port} and removed_at is not null and user_id = ${proxy.userId}`;
    return added.id;
  }
  throw new AppError('game_ports_exhausted');
}
