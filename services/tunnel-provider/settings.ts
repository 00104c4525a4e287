import type { SettingName } from '@talpa/service-kit/settings';

/** What the embedded provider's API needs. */
export const settingNames = [
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'HOST',
  'PORT',
  'TOKEN_KEYS',
  'CERTIFICATE_KEYS',
  'PUBLIC_URL',
  'TUNNEL_DOMAIN',
  'ACME_EMAIL',
  'ACME_DIRECTORY',
  'ACME_EAB_KEY_ID',
  'ACME_EAB_KEY',
  'ACME_CLOUDFLARE_TOKEN',
  'ACME_RFC2136_URL',
  'ACME_WEEKLY_LIMIT',
  'CLOUDFLARE_BASE_URL',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'FAULT_INJECTION',
] as const satisfies readonly SettingName[];
