import type { ErrorTexts } from './error-texts.ts';

/** The errors whose texts the panel shows for responses that have none. */
export const generalErrors = {
  not_signed_in: {
    status: 401,
    de: 'Nicht autorisiert: Bitte melden Sie sich an',
    en: 'Unauthorized: please sign in',
  },
  not_found: { status: 404, de: 'Ressource nicht gefunden', en: 'Resource not found' },
  internal: {
    status: 500,
    de: 'Serverfehler: Bitte versuchen Sie es später erneut',
    en: 'Server error: please try again later',
  },
} as const satisfies ErrorTexts;
