import { accessErrors } from './access-errors.ts';
import { domainErrors } from './domain-errors.ts';
import { gamePortErrors } from './game-port-errors.ts';
import { generalErrors } from './general-errors.ts';
import { keyErrors } from './key-errors.ts';
import { fill, type Language, type Text, type TextParams } from './language.ts';
import { memberErrors } from './member-errors.ts';
import { signInErrors } from './sign-in-errors.ts';
import { unavailableErrors } from './unavailable-errors.ts';

interface ErrorKind extends Text {
  readonly status: number;
}

/** Every error the API can respond with: its code, HTTP status and text. Nothing but the files spread in it lists errors. */
export const errors = {
  ...generalErrors,
  invalid_input: { status: 400, de: 'Überprüfen Sie Ihre Eingaben.', en: 'Please check your input.' },
  invalid_json: {
    status: 400,
    de: 'Der Inhalt der Anfrage ist kein gültiges JSON.',
    en: 'The request body is not valid JSON.',
  },
  invalid_credentials: {
    status: 401,
    de: 'Benutzername oder Passwort ist falsch.',
    en: 'Incorrect username or password.',
  },
  second_factor_required: {
    status: 401,
    de: 'Zum Anmelden fehlt noch ein Code Ihrer Authenticator-App.',
    en: 'Signing in also takes a code from your authenticator app.',
  },
  step_up_required: {
    status: 403,
    de: 'Bestätigen Sie zuerst, dass Sie es sind.',
    en: 'Confirm first that it’s you.',
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
  ...accessErrors,
  ...memberErrors,
  ...keyErrors,
  ...signInErrors,
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
  wrong_password: {
    status: 400,
    de: 'Das Passwort ist falsch.',
    en: 'The password is incorrect.',
  },
  reset_link_invalid: {
    status: 403,
    de: 'Dieser Link ist ungültig oder wurde durch einen neueren ersetzt. Öffnen Sie den neuesten Link vollständig, oder fordern Sie auf der Anmeldeseite einen neuen an.',
    en: 'This link is invalid or has been replaced by a newer one. Open the complete latest link, or request a new one on the sign-in page.',
  },
  reset_link_expired: {
    status: 410,
    de: 'Dieser Link ist abgelaufen. Fordern Sie auf der Anmeldeseite einen neuen an.',
    en: 'This link has expired. Request a new one on the sign-in page.',
  },
  reset_link_used: {
    status: 410,
    de: 'Mit diesem Link wurde bereits ein neues Passwort festgelegt. Wenn Sie das nicht waren, fordern Sie sofort auf der Anmeldeseite einen neuen Link an.',
    en: 'This link has already been used to set a new password. If that wasn’t you, request a new link on the sign-in page immediately.',
  },
  verification_link_invalid: {
    status: 403,
    de: 'Dieser Link ist ungültig oder wurde durch einen neueren ersetzt. Öffnen Sie den neuesten Link vollständig, oder lassen Sie sich in den Einstellungen einen neuen senden.',
    en: 'This link is invalid or has been replaced by a newer one. Open the complete latest link, or request a new one in your settings.',
  },
  verification_link_expired: {
    status: 410,
    de: 'Dieser Link ist abgelaufen. Lassen Sie sich in den Einstellungen einen neuen senden.',
    en: 'This link has expired. Request a new one in your settings.',
  },
  verification_link_used: {
    status: 410,
    de: 'Mit diesem Link wurde die E-Mail-Adresse bereits bestätigt. Sie müssen nichts mehr tun.',
    en: 'This link has already been used to confirm the email address. There is nothing left to do.',
  },
  email_taken: {
    status: 409,
    de: 'Diese E-Mail-Adresse gehört bereits zu einem anderen Konto. Tragen Sie in den Einstellungen eine andere ein.',
    en: 'This email address already belongs to a different account. Enter another one in your settings.',
  },
  email_verified: {
    status: 409,
    de: 'Es gibt keine E-Mail-Adresse, die noch bestätigt werden muss.',
    en: 'There is no email address left to confirm.',
  },
  email_unverified: {
    status: 403,
    de: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Wie das geht, steht in Ihren Einstellungen.',
    en: 'Confirm your email address first. Your settings say how.',
  },
  not_me_link_invalid: {
    status: 403,
    de: 'Dieser Link ist ungültig. Öffnen Sie ihn vollständig, oder legen Sie auf der Anmeldeseite ein neues Passwort fest.',
    en: 'This link is invalid. Open the complete link, or set a new password on the sign-in page.',
  },
  not_me_link_expired: {
    status: 410,
    de: 'Dieser Link ist abgelaufen. Legen Sie auf der Anmeldeseite ein neues Passwort fest: Dabei werden alle Sitzungen beendet.',
    en: 'This link has expired. Set a new password on the sign-in page: that ends all sessions.',
  },
  not_me_link_used: {
    status: 410,
    de: 'Dieser Link wurde bereits verwendet. Den Link für ein neues Passwort finden Sie in Ihrem Postfach.',
    en: 'This link has already been used. The link to set a new password is in your inbox.',
  },
  unsubscribe_link_invalid: {
    status: 403,
    de: 'Dieser Link ist ungültig. Öffnen Sie ihn vollständig, oder schalten Sie die E-Mails in Ihren Einstellungen aus.',
    en: 'This link is invalid. Open the complete link, or turn off the emails in your settings.',
  },
  announcement_ended: {
    status: 409,
    de: 'Diese Ankündigung ist bereits beendet. Erstellen Sie eine neue.',
    en: 'This announcement has already ended. Create a new one.',
  },
  registration_closed: {
    status: 403,
    de: 'Neue Konten können zurzeit nicht erstellt werden.',
    en: 'New accounts can’t be created at the moment.',
  },
  registration_proof_required: {
    status: 403,
    de: 'Aus Ihrem Netz wurden zuletzt viele Konten erstellt. Zum Registrieren muss Ihr Browser jetzt eine Rechenaufgabe lösen.',
    en: 'Many accounts were recently created from your network. Before you can register, your browser has to compute something.',
  },
  invitation_required: {
    status: 403,
    de: 'Zum Registrieren brauchen Sie einen Einladungscode.',
    en: 'You need an invitation code to register.',
  },
  invitation_invalid: {
    status: 403,
    de: 'Der Einladungscode ist falsch, abgelaufen oder bereits verbraucht. Prüfen Sie ihn, oder bitten Sie um einen neuen.',
    en: 'The invitation code is incorrect, has expired, or has already been used. Check it, or ask for a new one.',
  },
  forbidden: {
    status: 403,
    de: 'Dazu fehlt Ihnen die Berechtigung.',
    en: 'You don’t have permission to do this.',
  },
  cross_origin: {
    status: 403,
    de: 'Anfragen von anderen Websites sind nicht erlaubt.',
    en: 'Requests from other websites are not allowed.',
  },
  account_suspended: {
    status: 403,
    de: 'Ihr Konto ist gesperrt. Grund: {reason}',
    en: 'Your account is suspended. Reason: {reason}',
  },
  proxy_suspended: {
    status: 403,
    de: 'Dieser Proxy ist gesperrt. Grund: {reason}',
    en: 'This proxy is suspended. Reason: {reason}',
  },
  proxy_limit_reached: {
    status: 403,
    de: 'Ihr Proxy-Limit ist erreicht (erlaubt: {limit}). Mit einem größeren Plan können Sie mehr Proxys anlegen.',
    en: 'You’ve reached your proxy limit (allowed: {limit}). Upgrade to a larger plan to create more.',
  },
  method_not_allowed: {
    status: 405,
    de: 'Diese HTTP-Methode wird hier nicht unterstützt.',
    en: 'This HTTP method is not supported here.',
  },
  username_taken: {
    status: 409,
    de: 'Der Benutzername ist bereits vergeben.',
    en: 'The username is already taken.',
  },
  username_similar: {
    status: 409,
    de: 'Der Benutzername sieht einem vorhandenen zum Verwechseln ähnlich. Wählen Sie einen anderen.',
    en: 'The username looks too much like an existing one. Choose a different one.',
  },
  username_reserved: {
    status: 409,
    de: 'Der Benutzername ist reserviert. Wählen Sie einen anderen.',
    en: 'The username is reserved. Choose a different one.',
  },
  subdomain_similar: {
    status: 409,
    de: 'Die Subdomain „{subdomain}“ sieht einer vergebenen zum Verwechseln ähnlich. Wählen Sie eine andere.',
    en: 'The subdomain “{subdomain}” looks too much like one that is already taken. Choose a different one.',
  },
  subdomain_taken: {
    status: 409,
    de: 'Die Subdomain „{subdomain}“ ist bereits vergeben. Wählen Sie eine andere.',
    en: 'The subdomain “{subdomain}” is already taken. Choose a different one.',
  },
  subdomain_reserved: {
    status: 409,
    de: 'Die Subdomain „{subdomain}“ ist reserviert. Wählen Sie eine andere.',
    en: 'The subdomain “{subdomain}” is reserved. Choose a different one.',
  },
  same_plan: {
    status: 409,
    de: 'Sie haben dieses Abonnement bereits abgeschlossen',
    en: 'You are already subscribed to this plan',
  },
  proxy_pending: {
    status: 409,
    de: 'Der Proxy wird gerade eingerichtet. Bitte warten Sie einen Augenblick.',
    en: 'The proxy is being set up. Please wait a moment.',
  },
  no_tunnel: {
    status: 409,
    de: 'Dieser Proxy hat keinen Tunnel. Erstellen Sie den Tunnel zuerst neu.',
    en: 'This proxy has no tunnel. Recreate the tunnel first.',
  },
  edit_conflict: {
    status: 409,
    de: 'Der Eintrag wurde inzwischen geändert. Prüfen Sie die neuen Werte und speichern Sie erneut.',
    en: 'This entry has changed in the meantime. Check the new values and save again.',
  },
  last_administrator: {
    status: 409,
    de: 'Der letzte Administrator kann nicht entfernt werden. Ernennen Sie zuerst einen weiteren.',
    en: 'The last administrator can’t be removed. Make another user an administrator first.',
  },
  self_factor_removal: {
    status: 409,
    de: 'Ihre eigene Authenticator-App und Ihre Passkeys entfernen Sie in den Einstellungen.',
    en: 'Remove your own authenticator app and passkeys in your settings.',
  },
  self_deletion: {
    status: 409,
    de: 'Sie können sich nicht selbst löschen.',
    en: 'You cannot delete yourself.',
  },
  self_suspension: {
    status: 409,
    de: 'Sie können sich nicht selbst sperren.',
    en: 'You cannot suspend yourself.',
  },
  mail_on_its_way: {
    status: 409,
    de: 'Diese E-Mail wurde bereits gesendet oder wird gerade gesendet.',
    en: 'This email has already been sent or is being sent.',
  },
  mail_not_kept: {
    status: 409,
    de: 'Diese E-Mail ist nur für ihren Empfänger, oder ihr Inhalt wird nicht mehr aufbewahrt.',
    en: 'This email is for its recipient only, or its content is no longer kept.',
  },
  channel_limit: {
    status: 409,
    de: 'Es gibt bereits {limit} Kanäle. Löschen Sie einen, bevor Sie einen weiteren erstellen.',
    en: 'There are already {limit} channels. Delete one before you create another.',
  },
  channel_without_secret: {
    status: 409,
    de: 'Nur Webhooks haben ein Geheimnis, mit dem Talpa unterschreibt.',
    en: 'Only webhooks have a secret that Talpa signs with.',
  },
  delivery_on_its_way: {
    status: 409,
    de: 'Diese Nachricht wird bereits gesendet. Bitte warten Sie einen Augenblick.',
    en: 'This message is already being sent. Please wait a moment.',
  },
  mail_address_missing: {
    status: 409,
    de: 'Ihr Konto hat noch keine bestätigte E-Mail-Adresse. Wie Sie sie eintragen und bestätigen, steht in den Einstellungen.',
    en: 'Your account has no confirmed email address yet. Your settings say how to enter and confirm it.',
  },
  idempotency_key_reused: {
    status: 409,
    de: 'Dieser Idempotency-Key wurde bereits für eine andere Anfrage verwendet.',
    en: 'This Idempotency-Key has already been used for a different request.',
  },
  payload_too_large: {
    status: 413,
    de: 'Der Inhalt der Anfrage ist zu groß.',
    en: 'The request body is too large.',
  },
  unsupported_media_type: {
    status: 415,
    de: 'Der Inhalt der Anfrage muss JSON sein.',
    en: 'The request body must be JSON.',
  },
  too_many_requests: {
    status: 429,
    de: 'Zu viele Anfragen. Bitte versuchen Sie es in {seconds}\u00a0s erneut.',
    en: 'Too many requests. Please try again in {seconds}\u00a0s.',
  },
  tunnel_refused: {
    status: 502,
    de: 'Der Tunnel-Anbieter hat den Tunnel abgelehnt. Ihr Proxy wurde weder angelegt noch geändert.',
    en: 'The tunnel provider rejected the tunnel. Your proxy was not created or changed.',
  },
  zone_full: {
    status: 507,
    de: 'Beim Tunnel-Anbieter ist kein Platz für weitere Adressen. Ihr Proxy wurde weder angelegt noch geändert.',
    en: 'The tunnel provider has no room for more addresses. Your proxy was not created or changed.',
  },
  hostname_in_use: {
    status: 409,
    de: 'Die Adresse „{hostname}“ ist beim Tunnel-Anbieter bereits vergeben. Wählen Sie eine andere Subdomain.',
    en: 'The address “{hostname}” is already taken at the tunnel provider. Choose a different subdomain.',
  },
  ...unavailableErrors,
  ...domainErrors,
  ...gamePortErrors,
  provider_unavailable: {
    status: 503,
    de: 'Der Tunnel-Anbieter antwortet gerade nicht. Bitte versuchen Sie es gleich noch einmal.',
    en: 'The tunnel provider is not responding right now. Please try again shortly.',
  },
  storage_full: {
    status: 507,
    de: 'Der Speicherplatz des Servers ist knapp. Zurzeit kann nichts Neues angelegt werden; alles Bestehende läuft weiter. Bitte versuchen Sie es später noch einmal.',
    en: 'The server is low on disk space. Nothing new can be created right now; everything that exists keeps working. Please try again later.',
  },
  service_unavailable: {
    status: 503,
    de: 'Dieser Teil des Panels ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    en: 'This part of the panel is unavailable right now. Please try again shortly.',
  },
  deadline_exceeded: {
    status: 504,
    de: 'Die Antwort hat zu lange gedauert. Bitte laden Sie die Seite neu, bevor Sie es noch einmal versuchen.',
    en: 'The response took too long. Please reload the page before you try again.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** Errors any call may respond with, whatever its entry says. */
export const commonErrors = [
  'invalid_input',
  'invalid_json',
  'unsupported_media_type',
  'payload_too_large',
  'cross_origin',
  'too_many_requests',
  // Of callers with an API key.
  'api_key_invalid',
  'api_key_address',
  'internal',
  'service_unavailable',
  'deadline_exceeded',
] as const satisfies readonly ErrorCode[];

/** The text of an error for people. */
export function errorText(code: ErrorCode, language: Language, params?: TextParams): string {
  return fill(errors[code][language], params);
}

/** Whether a text is one of our error codes (for what arrives over a wire). */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}
