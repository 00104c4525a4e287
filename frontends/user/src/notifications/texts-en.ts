import type { de } from './texts-de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  all: 'All',
  unread: 'Unread',
  filter: 'Show',
  more: 'Load older notifications',
  moreFailed: 'Older notifications couldn’t be loaded',
};
