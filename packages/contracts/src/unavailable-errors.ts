import type { Text } from './language.ts';

/** What an installation does not offer; part of `errors`. */
export const unavailableErrors = {
  domains_unavailable: {
    status: 409,
    de: 'Eigene Domains gibt es nur mit Talpas eigenem Edge. Diese Installation verwendet Cloudflare.',
    en: 'Custom domains are available only with Talpa’s own edge. This installation uses Cloudflare.',
  },
  access_unavailable: {
    status: 409,
    de: 'Zugriffsregeln gibt es nur mit Talpas eigenem Edge. Diese Installation verwendet Cloudflare.',
    en: 'Access rules are available only with Talpa’s own edge. This installation uses Cloudflare.',
  },
  access_sign_in_unavailable: {
    status: 409,
    de: 'Besucher können sich auf dieser Installation nicht mit einem Konto bei Talpa anmelden. Wählen Sie eine andere Möglichkeit.',
    en: 'Visitors can’t sign in with a Talpa account on this installation. Choose a different way.',
  },
  access_email_unavailable: {
    status: 409,
    de: 'Codes per E-Mail gibt es auf dieser Installation nicht. Wählen Sie eine andere Möglichkeit.',
    en: 'Codes by email aren’t available on this installation. Choose a different way.',
  },
  game_ports_off: {
    status: 409,
    de: 'Auf dieser Installation gibt es keine Game-Ports.',
    en: 'This installation has no game ports.',
  },
  game_ports_unavailable: {
    status: 409,
    de: 'Game-Ports gibt es nur mit Talpas eigenem Edge. Diese Installation verwendet Cloudflare.',
    en: 'Game ports are available only with Talpa’s own edge. This installation uses Cloudflare.',
  },
  request_log_unavailable: {
    status: 409,
    de: 'Auf dieser Installation gibt es kein Anfrage-Protokoll.',
    en: 'This installation has no request log.',
  },
} as const satisfies Readonly<Record<string, Text & { readonly status: number }>>;
