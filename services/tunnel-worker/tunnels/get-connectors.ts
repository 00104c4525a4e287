import { type ConnectorSignal, type InternalCalls, noConnector, type Verb } from '@talpa/contracts';
import type { WorkerContext } from '../context.ts';
import type { Provider } from '../provider/client.ts';
import { askProvider } from './ask.ts';

/** A connector holds four; with fewer, some have failed. */
const fullConnections = 4;

/** Who is connected to a tunnel now; one that is gone has nobody. */
export const getConnectors: Verb<InternalCalls['tunnel-worker.getConnectors'], WorkerContext> = async (
  context,
  { tunnelId },
) => {
  return context.connectors.get(
    tunnelId,
    async () => (await askProvider(context, (provider) => look(provider, tunnelId))) ?? noConnector,
  );
};

async function look(provider: Provider, tunnelId: string): Promise<ConnectorSignal> {
  const listed = await provider.listConnectors(tunnelId);
  const connectors = listed
    .filter(({ conns }) => (conns?.length ?? 0) > 0)
    .map(({ version, arch, run_at, conns = [] }) => ({
      version: version ?? '',
      arch: arch ?? '',
      address: conns[0]?.origin_ip ?? '',
      connectedSince: earliest([run_at, ...conns.map(({ opened_at }) => opened_at)]),
      connections: conns.length,
    }));
  const since = connectors.map(({ connectedSince }) => connectedSince).sort()[0] ?? null;
  const lastSeen = since === null ? (await provider.getTunnel(tunnelId))?.inactiveSince : null;
  return {
    connectedSince: since,
    lastSeenAt: since === null ? iso(lastSeen) : new Date().toISOString(),
    connections: connectors.reduce((sum, { connections }) => sum + connections, 0),
    connectors,
    degraded: connectors.some(({ connections }) => connections < fullConnections),
  };
}

const iso = (time: string | null | undefined) => (time ? new Date(time).toISOString() : null);

function earliest(times: readonly (string | undefined)[]): string {
  const known = times.flatMap((time) => iso(time) ?? []);
  return known.sort()[0] ?? new Date().toISOString();
}
