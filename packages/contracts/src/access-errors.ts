import type { Text } from './language.ts';

/** Errors about who may visit a proxy; part of `errors`. */
export const accessErrors = {
  visit_refused: {
    status: 404,
    de: 'Unter dieser Adresse gibt es nichts, was Sie mit Ihrem Konto öffnen können. Fragen Sie den Besitzer, oder melden Sie sich mit einem anderen Konto an.',
    en: 'There is nothing at this address that you can open with your account. Ask its owner, or sign in with a different account.',
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
  visit_not_found: {
    status: 404,
    de: 'Dieser Besuch ist bereits beendet.',
    en: 'This visit has already ended.',
  },
} as const satisfies Readonly<Record<string, Text & { readonly status: number }>>;
