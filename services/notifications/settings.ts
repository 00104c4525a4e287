import type { SettingName, Settings } from '@talpa/service-kit/settings';
import { doctorSettings } from './doctor/finding.ts';

export const settingNames = [
  'MAIL_FROM',
  'MAIL_REPLY_TO',
  'TIME_ZONE',
  'ALERT_AFTER_SECONDS',
  'CHANNEL_KEYS',
  'OUTBOUND_ALLOW',
  ...doctorSettings,
  'HEALTH_PORT',
] as const satisfies readonly SettingName[];

export type NotificationsSettings = Settings<(typeof settingNames)[number]>;
