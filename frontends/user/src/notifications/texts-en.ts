import type { de } from './texts-de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  subtitle: 'What has happened to your proxies, your plan, and your account. Kept for 90 days.',
  all: 'All',
  unread: 'Unread',
  filter: 'Show',
  more: 'Load older notifications',
  moreFailed: 'Older notifications couldn’t be loaded',
};
