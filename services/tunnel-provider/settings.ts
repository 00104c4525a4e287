import type { SettingName } from '@talpa/service-kit/settings';
import { edgeSettings } from './edge/start.ts';

/** What the embedded provider and its edge need. */
export const ownSettings = [
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'NATS_URL',
  'HOST',
  'PORT',
  'TOKEN_KEYS',
  'CLOUDFLARE_API_TOKEN',
  'CLOUDFLARE_ACCOUNT_ID',
  'CLOUDFLARE_ZONE_ID',
  'FAULT_INJECTION',
  ...edgeSettings,
] as const satisfies readonly SettingName[];
