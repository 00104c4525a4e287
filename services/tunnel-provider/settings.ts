import type { SettingName } from '@talpa/service-kit/settings';

/** What the embedded provider's API needs. */
export const settingNames = [
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'HOST',
  'PORT',
  'TOKEN_KEYS',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'FAULT_INJECTION',
] as const satisfies readonly SettingName[];
