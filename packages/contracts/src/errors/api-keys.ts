import type { ErrorTexts } from './error-texts.ts';

/** Errors of API keys, and of calls that they do not open. */
export const apiKeysErrors = {
  session_required: {
    status: 403,
    de: 'Das ist mit einem API-Schlüssel nicht möglich. Melden Sie sich im Panel an.',
    en: 'This can’t be done with an API key. Sign in to the panel.',
  },
  scope_missing: {
    status: 403,
    de: 'Dem API-Schlüssel fehlt die Berechtigung „{scope}“. Erstellen Sie einen Schlüssel, der sie hat.',
    en: 'The API key lacks the “{scope}” scope. Create a key that has it.',
  },
  api_key_invalid: {
    status: 401,
    de: 'Diesen API-Schlüssel gibt es nicht, oder er ist abgelaufen oder widerrufen.',
    en: 'This API key doesn’t exist, has expired, or has been revoked.',
  },
  api_key_address: {
    status: 403,
    de: 'Dieser API-Schlüssel darf von Ihrer IP-Adresse aus nicht verwendet werden.',
    en: 'This API key can’t be used from your IP address.',
  },
  api_key_proxies: {
    status: 403,
    de: 'Dieser API-Schlüssel gilt nur für einzelne Proxys. Er kann keinen neuen anlegen.',
    en: 'This API key is limited to certain proxies, so it can’t create one.',
  },
  api_key_limit: {
    status: 409,
    de: 'Sie haben bereits {limit} API-Schlüssel. Widerrufen Sie einen, bevor Sie einen weiteren erstellen.',
    en: 'You already have {limit} API keys. Revoke one before you create another.',
  },
} as const satisfies ErrorTexts;
