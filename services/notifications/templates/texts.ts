import type { Language, MailKind, MailParams } from '@talpa/contracts';
import type { MailText } from './mail-text.ts';
import { proxyMailTexts } from './proxy-texts.ts';

/** The values of a text, ready to be shown. */
type Values<K extends OwnText> = readonly (keyof MailParams<K> & string)[];

/** Kinds of email that have a text here; the others say what the inbox says. */
type OwnText = Exclude<MailKind, 'notifications'>;

/** The moments among the values of each kind. */
export const moments = {
  test: [],
  verify_email: [],
  reset_password: [],
  proxy_invitation_link: [],
  access_code: [],
  password_changed: ['changedAt'],
  email_changed: ['changedAt'],
  new_device: ['signedInAt'],
  factor_started: ['startedAt'],
  factor_added: ['changedAt'],
  factor_replaced: ['changedAt'],
  factor_removed: ['changedAt'],
  factor_reset: ['changedAt'],
  passkey_added: ['changedAt'],
  passkey_removed: ['changedAt'],
  api_key_created: ['changedAt'],
  identity_linked: ['changedAt'],
  identity_unlinked: ['changedAt'],
  recovery_codes_replaced: ['changedAt'],
  recovery_code_used: ['usedAt'],
  wrong_codes: ['guessedAt'],
} as const satisfies { readonly [K in OwnText]: Values<K> };

/** Every email's text. */
export const mailTexts: { readonly [K in OwnText]: Readonly<Record<Language, MailText>> } = {
  test: {
    de: {
      subject: 'Test-E-Mail von Talpa',
      paragraphs: ['diese Test-E-Mail ist angekommen: Der Versand von E-Mails ist eingerichtet.'],
    },
    en: {
      subject: 'Test email from Talpa',
      paragraphs: ['This test email has arrived, so sending email is set up.'],
    },
  },
  verify_email: {
    de: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        'diese E-Mail-Adresse wurde für Ihr Konto bei Talpa eingetragen. Bestätigen Sie innerhalb von 24\u00a0Stunden mit Ihrem Passwort, dass sie Ihnen gehört.',
        'Sie haben sie nicht eingetragen? Dann hat sich vermutlich jemand vertippt. Sie müssen nichts tun: Ohne Bestätigung erhalten Sie keine weiteren E-Mails zu diesem Konto.',
      ],
      link: { label: 'E-Mail-Adresse bestätigen' },
    },
    en: {
      subject: 'Confirm your email address',
      paragraphs: [
        'This email address was entered for your Talpa account. Use your password to confirm within 24\u00a0hours that it belongs to you.',
        'Didn’t enter it? Somebody probably made a typo. You don’t need to do anything: unless it’s confirmed, no other emails about this account will be sent to it.',
      ],
      link: { label: 'Confirm email address' },
    },
  },
  ...proxyMailTexts,
  reset_password: {
    de: {
      subject: 'Neues Passwort festlegen',
      paragraphs: [
        'für Ihr Konto wurde ein Link angefordert, mit dem Sie ein neues Passwort festlegen können. Er ist 30\u00a0Minuten gültig und funktioniert einmal.',
        'Sie haben ihn nicht angefordert? Dann müssen Sie nichts tun. Ihr Passwort bleibt, wie es ist.',
      ],
      link: { label: 'Neues Passwort festlegen' },
    },
    en: {
      subject: 'Set a new password',
      paragraphs: [
        'Somebody requested a link to set a new password for your account. It is valid for 30\u00a0minutes and works once.',
        'Didn’t request it? You don’t need to do anything. Your password stays the same.',
      ],
      link: { label: 'Set a new password' },
    },
  },
  password_changed: {
    de: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'das Passwort Ihres Kontos wurde am {changedAt} geändert. Alle anderen Sitzungen wurden dabei beendet.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      apiKeys:
        'Ihre API-Schlüssel funktionieren weiterhin: {apiKeys}. Wenn Sie einen davon nicht kennen, widerrufen Sie ihn in den Einstellungen.',
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Your password was changed',
      paragraphs: [
        'Your account’s password was changed on {changedAt}. All of your other sessions were ended.',
        'Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      apiKeys:
        'Your API keys still work: {apiKeys}. If you don’t recognize one of them, revoke it in your settings.',
      link: { label: 'This wasn’t me' },
    },
  },
  email_changed: {
    de: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      paragraphs: [
        'diese E-Mail-Adresse gehört seit dem {changedAt} nicht mehr zu Ihrem Konto. E-Mails zu Ihrem Konto gehen nicht mehr hierher.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Diese Adresse gilt wieder, alle Sitzungen werden beendet, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Your email address was changed',
      paragraphs: [
        'This email address was removed from your account on {changedAt}. Emails about your account no longer go here.',
        'Wasn’t this you? Open the link within 7\u00a0days: this address counts again, all sessions end, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  new_device: {
    de: {
      subject: 'Neue Anmeldung bei Ihrem Konto',
      paragraphs: [
        'bei Ihrem Konto hat sich jemand am {signedInAt} mit einem neuen Browser angemeldet: {device}, IP-Adresse {ipAddress}.',
        'Waren Sie das, müssen Sie nichts tun. Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'New sign-in to your account',
      paragraphs: [
        'Somebody signed in to your account with a new browser on {signedInAt}: {device}, IP address {ipAddress}.',
        'If this was you, you don’t need to do anything. Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  factor_started: {
    de: {
      subject: 'Einrichtung einer Authenticator-App begonnen',
      paragraphs: [
        'für Ihr Konto wurde am {startedAt} begonnen, eine Authenticator-App einzurichten. Sie zählt erst, wenn die Einrichtung mit einem Code der App abgeschlossen ist.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er bricht die Einrichtung ab und beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Authenticator app setup started',
      paragraphs: [
        'Somebody started setting up an authenticator app for your account on {startedAt}. It doesn’t count until the setup is finished with a code from the app.',
        'Wasn’t this you? Open the link within 7\u00a0days: it cancels the setup and ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  factor_added: {
    de: {
      subject: 'Authenticator-App eingerichtet',
      paragraphs: [
        'für Ihr Konto wurde am {changedAt} eine Authenticator-App eingerichtet. Zum Anmelden brauchen Sie von nun an auch einen Code dieser App oder einen Wiederherstellungscode. Wenn Sie noch keinen Passkey hatten, wurden Ihre anderen Sitzungen beendet.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er entfernt die App wieder und beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Authenticator app set up',
      paragraphs: [
        'An authenticator app was set up for your account on {changedAt}. From now on, signing in also takes a code from this app or a recovery code. Unless you already had a passkey, your other sessions have ended.',
        'Wasn’t this you? Open the link within 7\u00a0days: it removes the app and ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  factor_replaced: {
    de: {
      subject: 'Authenticator-App ersetzt',
      paragraphs: [
        'die Authenticator-App Ihres Kontos wurde am {changedAt} durch eine andere ersetzt. Codes der bisherigen App und die bisherigen Wiederherstellungscodes gelten nicht mehr.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er entfernt die neue App und beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Authenticator app replaced',
      paragraphs: [
        'The authenticator app of your account was replaced with another one on {changedAt}. Codes from the former app and the former recovery codes no longer work.',
        'Wasn’t this you? Open the link within 7\u00a0days: it removes the new app and ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  factor_removed: {
    de: {
      subject: 'Authenticator-App entfernt',
      paragraphs: [
        'die Authenticator-App Ihres Kontos wurde am {changedAt} entfernt. Zum Anmelden genügt jetzt das Passwort. Die Wiederherstellungscodes gelten nicht mehr.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Authenticator app removed',
      paragraphs: [
        'The authenticator app was removed from your account on {changedAt}. Your password alone is now enough to sign in, and the recovery codes no longer work.',
        'Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  factor_reset: {
    de: {
      subject: 'Ein Administrator hat Ihre Zwei-Faktor-Anmeldung entfernt',
      paragraphs: [
        'ein Administrator hat am {changedAt} Authenticator-App und Passkeys Ihres Kontos entfernt. Zum Anmelden genügt jetzt das Passwort. In den Einstellungen können Sie beides unter „Sicherheit“ neu einrichten.',
        'Haben Sie nicht darum gebeten? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'An administrator removed your two-factor authentication',
      paragraphs: [
        'An administrator removed the authenticator app and passkeys from your account on {changedAt}. Your password alone is now enough to sign in. You can set up both again in your settings under “Security”.',
        'Didn’t ask for this? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  passkey_added: {
    de: {
      subject: 'Passkey hinzugefügt',
      paragraphs: [
        'zu Ihrem Konto wurde am {changedAt} der Passkey „{passkey}“ hinzugefügt. Damit können Sie sich ohne Passwort anmelden. Wenn Sie noch keinen Passkey und keine Authenticator-App hatten, wurden Ihre anderen Sitzungen beendet.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er entfernt den Passkey wieder und beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Passkey added',
      paragraphs: [
        'The passkey “{passkey}” was added to your account on {changedAt}. It lets you sign in without your password. Unless you already had a passkey or an authenticator app, your other sessions have ended.',
        'Wasn’t this you? Open the link within 7\u00a0days: it removes the passkey and ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  api_key_created: {
    de: {
      subject: 'API-Schlüssel erstellt',
      paragraphs: [
        'zu Ihrem Konto wurde am {changedAt} der API-Schlüssel „{apiKey}“ erstellt. Wer ihn hat, kann in Ihrem Namen handeln.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er widerruft den Schlüssel und beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'API key created',
      paragraphs: [
        'The API key “{apiKey}” was created for your account on {changedAt}. Anyone who has it can act in your name.',
        'Wasn’t this you? Open the link within 7\u00a0days: it revokes the key and ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  passkey_removed: {
    de: {
      subject: 'Passkey entfernt',
      paragraphs: [
        'von Ihrem Konto wurde am {changedAt} der Passkey „{passkey}“ entfernt. Anmelden können Sie sich damit nicht mehr.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Passkey removed',
      paragraphs: [
        'The passkey “{passkey}” was removed from your account on {changedAt}. It no longer signs you in.',
        'Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  identity_linked: {
    de: {
      subject: 'Anmeldung über {provider} verknüpft',
      paragraphs: [
        'mit Ihrem Konto wurde am {changedAt} eine Anmeldung über „{provider}“ verknüpft. Damit können Sie sich ohne Passwort anmelden.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er löst die Verknüpfung wieder und beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Sign-in with {provider} linked',
      paragraphs: [
        'A sign-in with “{provider}” was linked to your account on {changedAt}. It lets you sign in without your password.',
        'Wasn’t this you? Open the link within 7\u00a0days: it unlinks it and ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  identity_unlinked: {
    de: {
      subject: 'Verknüpfung mit {provider} gelöst',
      paragraphs: [
        'die Verknüpfung Ihres Kontos mit „{provider}“ wurde am {changedAt} gelöst. Anmelden können Sie sich darüber nicht mehr.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Sign-in with {provider} unlinked',
      paragraphs: [
        'The sign-in with “{provider}” was unlinked from your account on {changedAt}. It no longer signs you in.',
        'Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  recovery_codes_replaced: {
    de: {
      subject: 'Neue Wiederherstellungscodes',
      paragraphs: [
        'für Ihr Konto wurden am {changedAt} neue Wiederherstellungscodes erstellt. Die alten gelten nicht mehr.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'New recovery codes',
      paragraphs: [
        'New recovery codes were created for your account on {changedAt}. The old ones no longer work.',
        'Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  recovery_code_used: {
    de: {
      subject: 'Wiederherstellungscode verwendet',
      paragraphs: [
        'bei Ihrem Konto wurde am {usedAt} ein Wiederherstellungscode verwendet. Noch unbenutzt: {left}. Neue erstellen Sie in den Einstellungen unter „Sicherheit“.',
        'Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Recovery code used',
      paragraphs: [
        'A recovery code was used for your account on {usedAt}. Codes left: {left}. You can create new ones in your settings under “Security”.',
        'Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
  wrong_codes: {
    de: {
      subject: 'Jemand kennt vermutlich Ihr Passwort',
      paragraphs: [
        'bei Ihrem Konto wurden bis zum {guessedAt} mehrmals falsche Codes eingegeben. Nach einem Code wird nur gefragt, wer Ihr Passwort kennt.',
        'Waren Sie das, müssen Sie nichts tun. Waren Sie das nicht? Dann öffnen Sie innerhalb von 7\u00a0Tagen den Link: Er beendet alle Sitzungen, und Sie legen ein neues Passwort fest.',
      ],
      link: { label: 'Das war ich nicht' },
    },
    en: {
      subject: 'Somebody may know your password',
      paragraphs: [
        'Several incorrect codes were entered for your account, most recently on {guessedAt}. Only those who know your password are asked for a code.',
        'If this was you, you don’t need to do anything. Wasn’t this you? Open the link within 7\u00a0days: it ends all sessions, and you’ll set a new password.',
      ],
      link: { label: 'This wasn’t me' },
    },
  },
};
