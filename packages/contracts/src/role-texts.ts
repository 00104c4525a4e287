import type { Text } from './language.ts';
import type { ProxyRole } from './roles.ts';

/** What roles are called. */
export const roleTexts: Readonly<Record<ProxyRole, Text>> = {
  view: { de: 'Ansehen', en: 'View' },
  operate: { de: 'Betreiben', en: 'Operate' },
  manage: { de: 'Verwalten', en: 'Manage' },
  owner: { de: 'Besitzer', en: 'Owner' },
};
