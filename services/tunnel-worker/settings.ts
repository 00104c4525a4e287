import type { SettingName, Settings } from '@talpa/service-kit/settings';

/** What the worker needs beside what every service needs. */
export const settingNames = [
  'INSTALLATION_ID',
  'TUNNEL_PROVIDER',
  'TUNNEL_DOMAIN',
  'CLOUDFLARE_BASE_URL',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'PROVIDER_CALL_LIMIT_PER_5_MINUTES',
  'PROVIDER_INTERACTIVE_SHARE',
  'PROVISION_ATTEMPTS',
  'HEALTH_INTERVAL_MS',
  'RESYNC_INTERVAL_MS',
  'RESYNC_GRACE_MS',
  'RESYNC_MAX_DELETIONS',
] as const satisfies readonly SettingName[];

export type WorkerSettings = Settings<(typeof settingNames)[number]>;
