import type { ErrorTexts } from './error-texts.ts';

/** Errors of signing in: password, providers, passkeys, second factors. */
export const signInErrors = {
  invalid_credentials: {
    status: 401,
    de: 'Benutzername oder Passwort ist falsch.',
    en: 'Incorrect username or password.',
  },
  challenge_ended: {
    status: 401,
    de: 'Diese Anmeldung ist abgelaufen. Melden Sie sich noch einmal an.',
    en: 'This sign-in has expired. Sign in again.',
  },
  wrong_code: {
    status: 400,
    de: 'Der Code ist falsch, abgelaufen oder wurde bereits verwendet.',
    en: 'The code is incorrect, has expired, or has already been used.',
  },
  second_factor_required: {
    status: 401,
    de: 'Zum Anmelden fehlt noch ein Code Ihrer Authenticator-App.',
    en: 'Signing in also takes a code from your authenticator app.',
  },
  second_factor_missing: {
    status: 403,
    de: 'Richten Sie zuerst die Zwei-Faktor-Anmeldung ein. Der Betreiber verlangt sie für Ihr Konto.',
    en: 'Set up two-factor authentication first. The operator requires it for your account.',
  },
  second_factor_mandatory: {
    status: 409,
    de: 'Der Betreiber verlangt für Ihr Konto die Zwei-Faktor-Anmeldung. Deshalb können Sie die App oder den letzten Passkey nicht entfernen.',
    en: 'The operator requires two-factor authentication for your account, so you can’t remove the app or the last passkey.',
  },
  no_second_factor: {
    status: 409,
    de: 'Für dieses Konto ist keine Zwei-Faktor-Anmeldung eingerichtet.',
    en: 'Two-factor authentication isn’t set up for this account.',
  },
  no_pending_authenticator: {
    status: 409,
    de: 'In dieser Sitzung wird keine Authenticator-App eingerichtet. Beginnen Sie noch einmal.',
    en: 'No authenticator app is being set up in this session. Start again.',
  },
  step_up_required: {
    status: 403,
    de: 'Bestätigen Sie zuerst, dass Sie es sind.',
    en: 'Confirm first that it’s you.',
  },
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
} as const satisfies ErrorTexts;
