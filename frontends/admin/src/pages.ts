import type { Pages } from '@talpa/panel-kit/pages';

/** The pages of administrators. They are German alone; the menu that leads to them speaks both languages. */
export const pages = {
  users: {
    path: '/admin/users',
    title: { de: 'Benutzerverwaltung' },
    menu: { icon: 'users', label: { de: 'Benutzer', en: 'Users' } },
  },
  person: { path: '/admin/users/:id', title: { de: 'Benutzer' } },
  invitations: {
    path: '/admin/invitations',
    title: { de: 'Einladungen' },
    menu: { icon: 'ticket', label: { de: 'Einladungen', en: 'Invitations' } },
  },
  proxies: {
    path: '/admin/tunnel',
    title: { de: 'Proxy-Verwaltung' },
    menu: { icon: 'network', label: { de: 'Proxy-Verwaltung', en: 'Proxy management' } },
  },
  audit: {
    path: '/admin/audit',
    title: { de: 'Protokoll' },
    menu: { icon: 'log', label: { de: 'Protokoll', en: 'Activity log' } },
  },
  announcements: {
    path: '/admin/announcements',
    title: { de: 'Ankündigungen' },
    menu: { icon: 'megaphone', label: { de: 'Ankündigungen', en: 'Announcements' } },
  },
  mails: {
    path: '/admin/mail',
    title: { de: 'E-Mails' },
    menu: { icon: 'mail', label: { de: 'E-Mails', en: 'Emails' } },
  },
  channels: {
    path: '/admin/channels',
    title: { de: 'Kanäle der Installation' },
    menu: { icon: 'webhook', label: { de: 'Kanäle', en: 'Channels' } },
  },
  system: {
    path: '/admin/system',
    title: { de: 'System' },
    menu: { icon: 'system', label: { de: 'System', en: 'System' } },
  },
} satisfies Pages;
