import { type GamePortAvailability, tunnelProviders } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { ProxiesSettings } from '../settings.ts';

type Range = NonNullable<ProxiesSettings['EDGE_TCP_PORTS']>;

/** Whether this installation has game ports. */
export function availabilityOf({
  TUNNEL_PROVIDER: provider,
  EDGE_TCP_PORTS: range,
}: Pick<ProxiesSettings, 'TUNNEL_PROVIDER' | 'EDGE_TCP_PORTS'>): GamePortAvailability {
  if (!tunnelProviders[provider].gamePorts) return 'provider';
  return range === null ? 'off' : 'available';
}

/** The range of the public ports. @throws AppError `game_ports_off`, `game_ports_unavailable` */
export function rangeOf(settings: Pick<ProxiesSettings, 'TUNNEL_PROVIDER' | 'EDGE_TCP_PORTS'>): Range {
  const { EDGE_TCP_PORTS: range } = settings;
  if (availabilityOf(settings) === 'provider') throw new AppError('game_ports_unavailable');
  if (range === null) throw new AppError('game_ports_off');
  return range;
}
