import type { Text } from './language.ts';

/** Errors about passkeys and API keys; part of `errors`. */
export const keyErrors = {
  passkeys_unavailable: {
    status: 409,
    de: 'Passkeys gibt es auf dieser Installation nicht. Melden Sie sich auf eine andere Weise an.',
    en: 'Passkeys aren’t available on this installation. Sign in a different way.',
  },
  passkey_limit: {
    status: 409,
    de: 'Sie haben bereits {limit} Passkeys. Entfernen Sie einen, bevor Sie einen weiteren hinzufügen.',
    en: 'You already have {limit} passkeys. Remove one before you add another.',
  },
  passkey_exists: { status: 409, de: 'Diesen Passkey gibt es schon.', en: 'This passkey exists already.' },
  passkey_challenge_ended: {
    status: 401,
    de: 'Die Anfrage für den Passkey ist abgelaufen oder wurde bereits verwendet. Versuchen Sie es noch einmal.',
    en: 'The passkey request has expired or has already been used. Try again.',
  },
  passkey_refused: {
    status: 401,
    de: 'Der Passkey wurde nicht akzeptiert. Er wurde hier entfernt, oder seine Angaben passen nicht zu diesem Panel.',
    en: 'The passkey was not accepted. It has been removed here, or its data doesn’t match this panel.',
  },
  passkey_other_host: {
    status: 409,
    de: 'Dieser Passkey gilt für {host}. Das Panel hat inzwischen eine andere Adresse. Melden Sie sich mit Ihrem Passwort an und fügen Sie einen neuen Passkey hinzu.',
    en: 'This passkey is for {host}. The panel’s address has changed since then. Sign in with your password and add a new passkey.',
  },
  passkey_required: {
    status: 401,
    de: 'Ihr Konto braucht eine Zwei-Faktor-Anmeldung. Verwenden Sie Ihren Passkey.',
    en: 'Your account requires two-factor authentication. Use your passkey.',
  },
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
} as const satisfies Readonly<Record<string, Text & { readonly status: number }>>;
