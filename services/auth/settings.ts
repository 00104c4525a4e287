import type { SettingName, Settings } from '@talpa/service-kit/settings';

export const settingNames = [
  'SESSION_KEYS',
  'SESSION_PUBLIC_KEYS',
  'FACTOR_KEYS',
  'HASH_CONCURRENCY',
  'WRONG_CODE_LIMIT_PER_QUARTER_HOUR',
  'RESERVED_NAMES',
  'PUBLIC_URL',
  'REGISTRATION',
  'REGISTRATION_PROOF_AFTER',
  'REGISTRATION_PROOF_BITS',
  'EMAIL_REQUIRED',
  'SECOND_FACTOR',
  'SIGN_IN_PROVIDERS',
  'STREAM_WATCH_MS',
] as const satisfies readonly SettingName[];

export type AuthSettings = Settings<(typeof settingNames)[number]>;
