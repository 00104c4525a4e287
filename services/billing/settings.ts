import type { SettingName, Settings } from '@talpa/service-kit/settings';

export const ownSettings = ['STREAM_WATCH_MS'] as const satisfies readonly SettingName[];

export type BillingSettings = Settings<(typeof ownSettings)[number]>;
