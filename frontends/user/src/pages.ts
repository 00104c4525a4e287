import { joinPath } from '@talpa/contracts/link-paths';
import type { Pages } from '@talpa/panel-kit/pages';

/** The pages of every signed-in user. */
export const pages = {
  dashboard: {
    path: '/',
    title: { de: 'Übersicht', en: 'Dashboard' },
    heading: { de: 'Willkommen, {name}', en: 'Welcome, {name}' },
    subtitle: {
      de: 'Ihre Proxys und das System auf einen Blick.',
      en: 'Your proxies and the system at a glance.',
    },
    menu: { icon: 'dashboard', label: { de: 'Übersicht', en: 'Dashboard' } },
    reads: [
      'GET /api/system/stats',
      'GET /api/user/subscription/can-create-proxy',
      'GET /api/tunnel-configs',
      'GET /api/user/subscription',
      'GET /api/shared-proxies',
      'GET /api/proxy-invitations',
    ],
  },
  proxies: {
    path: '/tunnel-configuration',
    title: { de: 'Proxy-Konfiguration', en: 'Proxy configuration' },
    subtitle: {
      de: 'Machen Sie das Admin-Panel jedes Servers unter einer eigenen Adresse erreichbar.',
      en: 'Give each server’s admin panel its own public address.',
    },
    menu: { icon: 'cable', label: { de: 'Proxys', en: 'Proxies' } },
    reads: [
      'GET /api/servers',
      'GET /api/user/subscription/can-create-proxy',
      'GET /api/user/subscription',
      'GET /api/shared-proxies',
      'GET /api/proxy-invitations',
    ],
  },
  proxy: { path: '/tunnel-configuration/:id', title: { de: 'Proxy', en: 'Proxy' } },
  server: { path: '/servers/:id', title: { de: 'Server', en: 'Server' } },
  join: {
    path: joinPath,
    title: { de: 'Einladung zu einem Proxy', en: 'Invitation to a proxy' },
  },
  settings: {
    path: '/settings',
    title: { de: 'Einstellungen', en: 'Settings' },
    subtitle: {
      de: 'Verwalten Sie Ihr Konto, Ihre Mitteilungen, die Darstellung und Ihre Sicherheit.',
      en: 'Manage your account, notifications, appearance, and security.',
    },
    menu: { icon: 'settings', label: { de: 'Einstellungen', en: 'Settings' } },
    reads: ['GET /api/user/email', 'GET /api/user/notifications/channels'],
  },
  visit: { path: '/visit', title: { de: 'Admin-Panel öffnen', en: 'Open admin panel' } },
  secondFactor: {
    path: '/second-factor',
    title: { de: 'Zwei-Faktor-Anmeldung einrichten', en: 'Set up two-factor authentication' },
  },
  notifications: {
    path: '/notifications',
    title: { de: 'Mitteilungen', en: 'Notifications' },
    subtitle: {
      de: 'Was mit Ihren Proxys, Ihrem Plan und Ihrem Konto geschehen ist. Aufbewahrt werden 90 Tage.',
      en: 'What has happened to your proxies, your plan, and your account. Kept for 90 days.',
    },
  },
  subscription: {
    path: '/subscription',
    title: { de: 'Abonnement', en: 'Subscription' },
    subtitle: {
      de: 'Ihr Plan bestimmt, wie viele Proxys Sie anlegen können.',
      en: 'Your plan determines how many proxies you can create.',
    },
  },
} satisfies Pages;
