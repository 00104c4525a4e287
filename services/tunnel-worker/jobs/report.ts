import type { DesiredServer, Outcome, ServerReport, TunnelOutcome } from '@talpa/contracts';

/** What proxies is told of a run. */
export function reportOf(
  { serverId, tunnel: { generation }, proxies }: DesiredServer,
  tunnel: TunnelOutcome | null,
  ended: ReadonlyMap<string, Outcome>,
): ServerReport {
  const outcomes = proxies.flatMap(({ proxyId, generation }) => {
    const outcome = ended.get(proxyId);
    return outcome ? [{ proxyId, generation, outcome }] : [];
  });
  return { serverId, generation, tunnel, proxies: outcomes };
}
