/** `pending`: not applied yet; `inactive`: tunnel without connector; `active`: connected; `error`: see the reason. */
export const proxyStatuses = ['pending', 'inactive', 'active', 'error'] as const;
/** Why a proxy is in `error`, typed so that the panel can say it. */
export const statusReasons = [
  'hostname_in_use',
  'tunnel_refused',
  'tunnel_gone',
  'provider_unavailable',
  'zone_full',
] as const;
export type StatusReason = (typeof statusReasons)[number];

/** The provider's own word on a tunnel: never connected, some connections failed, connected, connected once. */
export const tunnelHealths = ['inactive', 'degraded', 'healthy', 'down'] as const;
export type TunnelHealth = (typeof tunnelHealths)[number];

/** Whether a tunnel of this health has a connector. */
export const isConnected = (health: TunnelHealth | null): boolean =>
  health === 'healthy' || health === 'degraded';

/** Why no connector is connected to a tunnel: none was since the tunnel was made, or its connection was lost. */
export type Absence = 'never' | 'lost';

/** Null for a proxy whose status says something else. */
export function absenceOf(proxy: {
  readonly status: (typeof proxyStatuses)[number];
  readonly tunnelHealth: TunnelHealth | null;
}): Absence | null {
  if (proxy.status !== 'inactive') return null;
  return proxy.tunnelHealth === 'down' ? 'lost' : 'never';
}
