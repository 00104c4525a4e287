import type { SettingName, Settings } from '@talpa/service-kit/settings';

export const settingNames = [
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_REPLY_TO',
  'PUBLIC_URL',
  'TIME_ZONE',
  'ALERT_AFTER_SECONDS',
  'CHANNEL_KEYS',
  'OUTBOUND_ALLOW',
] as const satisfies readonly SettingName[];

export type NotificationsSettings = Settings<(typeof settingNames)[number]>;
