import type { de } from './texts-de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  empty: 'No notifications',
  'empty.text': 'This is where you’ll see what happens to your proxies, your plan, and your account.',
  'empty.unread': 'No unread notifications',
  failed: 'Your notifications couldn’t be loaded',
  list: 'Notifications',
  unread: 'Unread',
  markAll: 'Mark all as read',
  'markAll.failed': 'The notifications weren’t marked as read',
};
