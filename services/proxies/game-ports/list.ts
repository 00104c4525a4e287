import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { targetOf } from '../domains/row.ts';
import { findProxy } from '../proxy/find.ts';
import { readPortLimit } from '../users/limits.ts';
import { availabilityOf } from './availability.ts';
import { countGamePorts, gamePortsOf, publicGamePort } from './row.ts';
import { useOf } from './traffic.ts';

/** A proxy's game ports. */
export const listGamePorts: Verb<Routes['GET /api/tunnel-configs/:id/ports'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { reads, settings, client } = context;
  const proxy = await findProxy(reads, id, context);
  const [rows, limit, used] = await Promise.all([
    gamePortsOf(reads, [id]),
    readPortLimit(reads, proxy.userId),
    countGamePorts(reads, proxy.userId),
  ]);
  const use = await useOf(context.sql, rows);
  return {
    ports: rows.map((row) => publicGamePort(row, proxy, settings, use.get(row.id))),
    availability: availabilityOf(settings),
    limit,
    used,
    host: settings.EDGE_TCP_NAME ?? targetOf(proxy),
    address: client.address,
  };
};
