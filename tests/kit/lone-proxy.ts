import type { DesiredServer, DesiredTunnel, Outcome, ServerReport } from '@talpa/contracts';
import type { Result } from '../../services/tunnel-worker/reconcile/reconcile.ts';
import type { KnownServer } from '../../services/tunnel-worker/resync/compare.ts';

/** A server of the one proxy that a test wants. */
export function serverOf(proxy: DesiredTunnel): DesiredServer {
  const { proxyId, generation, want, applied, connected, settled } = proxy;
  const { incarnation, ...wanted } = want ?? {};
  return {
    serverId: proxyId,
    tunnel: {
      ...{ generation, want: incarnation ? { incarnation } : null, connected, settled },
      applied: applied && { tunnelId: applied.tunnelId, incarnation: applied.incarnation },
    },
    proxies: [{ proxyId, generation, want: want && (wanted as typeof want), applied, settled }],
  };
}

/** How a run ended for its one proxy. @throws what may succeed later */
export function outcomeOf({ tunnel, proxies, failing }: Result): Outcome {
  for (const failure of failing.values()) throw failure;
  if (tunnel?.kind === 'refused') return tunnel;
  const [outcome] = proxies.values();
  if (!outcome) throw new Error('the run says nothing of its proxy');
  return outcome;
}

/** The same of what was reported. */
export function reportedOutcome({ tunnel, proxies: [proxy] }: ServerReport): Outcome | undefined {
  return tunnel?.kind === 'refused' ? tunnel : proxy?.outcome;
}

/** A proxy with a server of its own, as proxies believes it to be at the provider. */
export interface LoneProxy {
  readonly proxyId: string;
  readonly tunnelId: string | null;
  readonly dnsRecordId: string | null;
  readonly health: KnownServer['health'];
  readonly settled: boolean;
}

/** Its server, as it is listed. */
export const listedServer = ({
  proxyId,
  tunnelId,
  dnsRecordId,
  health,
  settled,
}: LoneProxy): KnownServer => ({
  ...{ serverId: proxyId, tunnelId, health, settled },
  proxies: [{ proxyId, dnsRecordId, settled }],
});
