import type { ErrorTexts } from './error-texts.ts';

/** Errors of accounts: registration, names, passwords, email addresses and their links, suspension. */
export const accountsErrors = {
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
  wrong_password: {
    status: 400,
    de: 'Das Passwort ist falsch.',
    en: 'The password is incorrect.',
  },
  password_missing: {
    status: 409,
    de: 'Ihr Konto hat noch kein Passwort. Legen Sie in den Einstellungen unter „Konto“ eines fest.',
    en: 'Your account doesn’t have a password yet. Set one in your settings under “Account”.',
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
  account_suspended: {
    status: 403,
    de: 'Ihr Konto ist gesperrt. Grund: {reason}',
    en: 'Your account is suspended. Reason: {reason}',
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
} as const satisfies ErrorTexts;
