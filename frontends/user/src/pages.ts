import type { Pages } from '@talpa/panel-kit/pages';

/** The pages of every signed-in user. */
export const pages = {
  dashboard: {
    path: '/',
    title: { de: 'Übersicht', en: 'Dashboard' },
    menu: { icon: 'dashboard', label: { de: 'Übersicht', en: 'Dashboard' } },
    reads: [
      'GET /api/system/stats',
      'GET /api/user/subscription/can-create-proxy',
      'GET /api/tunnel-configs',
      'GET /api/user/subscription',
    ],
  },
  proxies: {
    path: '/tunnel-configuration',
    title: { de: 'Proxy-Konfiguration', en: 'Proxy configuration' },
    menu: { icon: 'cable', label: { de: 'Proxys', en: 'Proxies' } },
    reads: ['GET /api/user/subscription/can-create-proxy', 'GET /api/user/subscription'],
  },
  proxy: { path: '/tunnel-configuration/:id', title: { de: 'Proxy', en: 'Proxy' } },
  settings: {
    path: '/settings',
    title: { de: 'Einstellungen', en: 'Settings' },
    menu: { icon: 'settings', label: { de: 'Einstellungen', en: 'Settings' } },
    reads: ['GET /api/user/email', 'GET /api/user/notifications/channels'],
  },
  secondFactor: {
    path: '/second-factor',
    title: { de: 'Zwei-Faktor-Anmeldung einrichten', en: 'Set up two-factor authentication' },
  },
  notifications: { path: '/notifications', title: { de: 'Mitteilungen', en: 'Notifications' } },
  subscription: { path: '/subscription', title: { de: 'Abonnement', en: 'Subscription' } },
} satisfies Pages;
