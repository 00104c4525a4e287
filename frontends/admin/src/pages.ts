import type { Pages } from '@talpa/panel-kit/pages';

const customers = 'Kunden';
const operation = 'Betrieb';
const communication = 'Kommunikation';

/** The pages of administrators. They are German alone, as are their entries in the menu, which stand in groups. */
export const pages = {
  users: {
    path: '/admin/users',
    title: { de: 'Benutzerverwaltung' },
    subtitle: { de: 'Konten erstellen, Rechte und Pläne vergeben.' },
    menu: { icon: 'users', label: { de: 'Benutzer' }, group: customers },
  },
  user: { path: '/admin/users/:id', title: { de: 'Benutzer' } },
  invitations: {
    path: '/admin/invitations',
    title: { de: 'Einladungen' },
    menu: { icon: 'ticket', label: { de: 'Einladungen' }, group: customers },
  },
  proxies: {
    path: '/admin/tunnel',
    title: { de: 'Proxy-Verwaltung' },
    subtitle: { de: 'Alle Proxys aller Benutzer.' },
    menu: { icon: 'all', label: { de: 'Proxy-Verwaltung' }, group: customers },
  },
  system: {
    path: '/admin/system',
    title: { de: 'System' },
    subtitle: { de: 'Was der Betreiber im Blick behalten muss.' },
    menu: { icon: 'system', label: { de: 'System' }, group: operation },
  },
  audit: {
    path: '/admin/audit',
    title: { de: 'Protokoll' },
    subtitle: { de: 'Wer wann was geändert hat. Einträge werden 365 Tage gespeichert, IP-Adressen 90 Tage.' },
    menu: { icon: 'log', label: { de: 'Protokoll' }, group: operation },
  },
  announcements: {
    path: '/admin/announcements',
    title: { de: 'Ankündigungen' },
    subtitle: {
      de: 'Was alle Benutzer auf jeder Seite lesen, in der Glocke finden und auf Wunsch per E-Mail erhalten.',
    },
    menu: { icon: 'megaphone', label: { de: 'Ankündigungen' }, group: communication },
  },
  mails: {
    path: '/admin/mail',
    title: { de: 'E-Mails' },
    subtitle: { de: 'Wem das Panel wann geschrieben hat. Einträge werden 90 Tage gespeichert.' },
    menu: { icon: 'mail', label: { de: 'E-Mails' }, group: communication },
  },
  channels: {
    path: '/admin/channels',
    title: { de: 'Kanäle der Installation' },
    subtitle: {
      de: 'Was bei allen Benutzern geschieht, kann an Discord, Telegram, ntfy oder ein eigenes Programm (Webhook) gehen.',
    },
    menu: { icon: 'channel', label: { de: 'Kanäle' }, group: communication },
  },
} satisfies Pages;
