import type { SettingName, Settings } from '@talpa/service-kit/settings';

export const settingNames = [
  'TUNNEL_DOMAIN',
  'TUNNEL_PUBLIC_PORT',
  'PUBLIC_URL',
  'MAIL_FROM',
  'RESERVED_NAMES',
  'TUNNEL_PROVIDER',
  'EDGE_TCP_PORTS',
  'EDGE_TCP_NAME',
  'DNS_SERVERS',
  'DOMAIN_CHECK_INTERVAL_MS',
  'PROVISION_WAIT_MS',
  'SWEEP_INTERVAL_MS',
  'STREAM_WATCH_MS',
  'REQUEST_LOG_DAYS',
] as const satisfies readonly SettingName[];

export type ProxiesSettings = Settings<(typeof settingNames)[number]>;
