import type { ErrorTexts } from './error-texts.ts';

/** Errors of who may visit a proxy. */
export const accessErrors = {
  visit_refused: {
    status: 404,
    de: 'Unter dieser Adresse gibt es nichts, was Sie mit Ihrem Konto öffnen können. Fragen Sie den Besitzer, oder melden Sie sich mit einem anderen Konto an.',
    en: 'There is nothing at this address that you can open with your account. Ask its owner, or sign in with a different account.',
  },
  visit_not_found: {
    status: 404,
    de: 'Dieser Besuch ist bereits beendet.',
    en: 'This visit has already ended.',
  },
  service_token_limit: {
    status: 409,
    de: 'Ein Proxy kann höchstens {limit} Service-Tokens haben. Widerrufen Sie einen, den Sie nicht mehr brauchen.',
    en: 'A proxy can have at most {limit} service tokens. Revoke one that you no longer need.',
  },
  service_token_not_found: {
    status: 404,
    de: 'Diesen Service-Token gibt es nicht mehr.',
    en: 'This service token no longer exists.',
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
} as const satisfies ErrorTexts;
