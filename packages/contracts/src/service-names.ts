/** Services that answer calls on the bus. */
export const serviceNames = [
  'auth',
  'billing',
  'proxies',
  'stats',
  'notifications',
  'tunnel-worker',
] as const;

export type ServiceName = (typeof serviceNames)[number];
