import type { SettingName, Settings } from '@talpa/service-kit/settings';

/** What the worker needs beside what every service needs. */
export const ownSettings = [
  'INSTALLATION_ID',
  'CLOUDFLARE_BASE_URL',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'PROVISION_ATTEMPTS',
] as const satisfies readonly SettingName[];

export type WorkerSettings = Settings<(typeof ownSettings)[number]>;
