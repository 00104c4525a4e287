import type { SettingName, Settings } from '@talpa/service-kit/settings';

export const settingNames = [
  'STREAM_WATCH_MS',
  'TIME_ZONE',
  'ALERT_AFTER_SECONDS',
  'REQUEST_LOG_DAYS',
  'SHOW_TOTALS',
  'TUNNEL_DOMAIN',
  'PUBLIC_URL',
] as const satisfies readonly SettingName[];

export type StatsSettings = Settings<(typeof settingNames)[number]>;
