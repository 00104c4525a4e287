import type { PanelConfig } from '@talpa/contracts';
import { gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';

const provider = gauge(
  'talpa_tunnel_provider',
  '1: the tunnel provider that is meant, embedded or cloudflare',
  ['provider'],
);

/** Shows alerts which tunnel provider is used: ours alone can be missing. */
export function exposeProvider(name: PanelConfig['tunnelProvider']): void {
  readOnScrape('provider', [provider], () => provider.labels(name).set(1));
}
