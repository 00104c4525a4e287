import type { Text } from './language.ts';

/** Errors about sign-in providers and accounts without a password; part of `errors`. */
export const signInErrors = {
  sign_in_provider_unknown: {
    status: 404,
    de: 'Diese Art der Anmeldung gibt es nicht mehr. Laden Sie die Seite neu.',
    en: 'This way to sign in no longer exists. Reload the page.',
  },
  sign_in_provider_unavailable: {
    status: 503,
    de: '„{provider}“ ist gerade nicht erreichbar oder falsch eingerichtet. Versuchen Sie es später noch einmal, oder melden Sie sich auf einem anderen Weg an.',
    en: '“{provider}” can’t be reached right now or isn’t set up correctly. Try again later, or sign in another way.',
  },
  sign_in_request_ended: {
    status: 401,
    de: 'Diese Anmeldung ist abgelaufen, wurde bereits verwendet oder in einem anderen Browser begonnen. Beginnen Sie noch einmal.',
    en: 'This sign-in has expired, has already been used, or was started in a different browser. Start again.',
  },
  sign_in_refused: {
    status: 403,
    de: 'Die Anmeldung bei „{provider}“ wurde abgebrochen oder dort abgelehnt.',
    en: 'Signing in with “{provider}” was canceled or rejected there.',
  },
  sign_in_response_invalid: {
    status: 403,
    de: 'Die Antwort von „{provider}“ ist ungültig. Beginnen Sie noch einmal. Wenn es dabei bleibt, wenden Sie sich an den Betreiber.',
    en: 'The response from “{provider}” is invalid. Start again. If this keeps happening, contact the operator.',
  },
  identity_not_linked: {
    status: 403,
    de: 'Mit dieser Anmeldung bei „{provider}“ ist kein Konto verknüpft. Melden Sie sich auf Ihrem bisherigen Weg an, und verknüpfen Sie sie in den Einstellungen unter „Sicherheit“.',
    en: 'This “{provider}” sign-in isn’t linked to an account. Sign in the way you usually do, and link it in your settings under “Security”.',
  },
  account_missing: {
    status: 403,
    de: 'Mit dieser Anmeldung bei „{provider}“ ist noch kein Konto verknüpft. Erstellen Sie eines, oder melden Sie sich auf Ihrem bisherigen Weg an.',
    en: 'This “{provider}” sign-in isn’t linked to an account yet. Create one, or sign in the way you usually do.',
  },
  identity_linked: {
    status: 409,
    de: 'Diese Anmeldung bei „{provider}“ ist bereits mit Ihrem Konto verknüpft.',
    en: 'This “{provider}” sign-in is already linked to your account.',
  },
  identity_linked_elsewhere: {
    status: 409,
    de: 'Diese Anmeldung bei „{provider}“ ist bereits mit einem anderen Konto verknüpft.',
    en: 'This “{provider}” sign-in is already linked to a different account.',
  },
  identity_limit: {
    status: 409,
    de: 'Mit Ihrem Konto sind bereits {limit} Anmeldungen verknüpft. Lösen Sie eine davon, bevor Sie eine weitere verknüpfen.',
    en: 'Your account already has {limit} linked sign-ins. Unlink one before you link another.',
  },
  last_way_to_sign_in: {
    status: 409,
    de: 'Sonst könnten Sie sich nicht mehr anmelden. Legen Sie zuerst in den Einstellungen ein Passwort fest.',
    en: 'Without it you couldn’t sign in anymore. Set a password in your settings first.',
  },
  password_missing: {
    status: 409,
    de: 'Ihr Konto hat noch kein Passwort. Legen Sie in den Einstellungen unter „Konto“ eines fest.',
    en: 'Your account doesn’t have a password yet. Set one in your settings under “Account”.',
  },
} as const satisfies Record<string, Text & { readonly status: number }>;
