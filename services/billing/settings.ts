import type { SettingName, Settings } from '@talpa/service-kit/settings';

export const settingNames = ['STREAM_WATCH_MS', 'PLAN_CHANGES'] as const satisfies readonly SettingName[];

export type BillingSettings = Settings<(typeof settingNames)[number]>;
