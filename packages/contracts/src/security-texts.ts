import type { NotificationText } from './notification-text.ts';
import type { SecurityEvent } from './security-events.ts';

/** The texts of notifications about an account's security. */
export const securityTexts: { readonly [K in SecurityEvent]: NotificationText } = {
  password_changed: {
    path: '/settings?tab=security',
    de: {
      title: 'Ihr Passwort wurde geändert',
      text: 'Geändert am {changedAt}. Waren Sie das nicht? Dann öffnen Sie „Das war ich nicht“ in der E-Mail dazu, oder beenden Sie unbekannte Sitzungen und ändern Sie das Passwort.',
    },
    en: {
      title: 'Your password was changed',
      text: 'Changed on {changedAt}. Wasn’t this you? Open “This wasn’t me” in the email about it, or end unknown sessions and change your password.',
    },
  },
  email_changed: {
    path: '/settings',
    de: {
      title: 'Ihre E-Mail-Adresse wurde geändert',
      text: 'Geändert am {changedAt}. Waren Sie das nicht? Dann öffnen Sie „Das war ich nicht“ in der E-Mail an Ihre bisherige Adresse. Haben Sie keine erhalten, wenden Sie sich an einen Administrator.',
    },
    en: {
      title: 'Your email address was changed',
      text: 'Changed on {changedAt}. Wasn’t this you? Open “This wasn’t me” in the email to your previous address. If you got none, ask an administrator.',
    },
  },
  new_device: {
    path: '/settings?tab=security',
    de: {
      title: 'Neue Anmeldung bei Ihrem Konto',
      text: 'Am {signedInAt} mit einem neuen Browser: {device}, IP-Adresse {ipAddress}. Waren Sie das nicht? Dann beenden Sie diese Sitzung und ändern Sie Ihr Passwort.',
    },
    en: {
      title: 'New sign-in to your account',
      text: 'On {signedInAt} with a new browser: {device}, IP address {ipAddress}. Wasn’t this you? End that session and change your password.',
    },
  },
  factor_started: {
    path: '/settings?tab=security',
    de: {
      title: 'Einrichtung einer Authenticator-App begonnen',
      text: 'Begonnen am {startedAt}. Waren Sie das nicht? Dann ändern Sie sofort Ihr Passwort: Das bricht die Einrichtung ab.',
    },
    en: {
      title: 'Authenticator app setup started',
      text: 'Started on {startedAt}. Wasn’t this you? Change your password immediately: that cancels the setup.',
    },
  },
  factor_added: {
    path: '/settings?tab=security',
    de: {
      title: 'Authenticator-App eingerichtet',
      text: 'Eingerichtet am {changedAt}. Waren Sie das nicht? Dann wenden Sie sich sofort an den Betreiber.',
    },
    en: {
      title: 'Authenticator app set up',
      text: 'Set up on {changedAt}. Wasn’t this you? Contact the operator immediately.',
    },
  },
  factor_replaced: {
    path: '/settings?tab=security',
    de: {
      title: 'Authenticator-App ersetzt',
      text: 'Ersetzt am {changedAt}. Waren Sie das nicht? Dann wenden Sie sich sofort an den Betreiber.',
    },
    en: {
      title: 'Authenticator app replaced',
      text: 'Replaced on {changedAt}. Wasn’t this you? Contact the operator immediately.',
    },
  },
  factor_removed: {
    path: '/settings?tab=security',
    de: {
      title: 'Authenticator-App entfernt',
      text: 'Entfernt am {changedAt}. Zum Anmelden genügt jetzt Ihr Passwort. Waren Sie das nicht? Dann wenden Sie sich sofort an den Betreiber.',
    },
    en: {
      title: 'Authenticator app removed',
      text: 'Removed on {changedAt}. Your password alone is now enough to sign in. Wasn’t this you? Contact the operator immediately.',
    },
  },
  factor_reset: {
    path: '/settings?tab=security',
    de: {
      title: 'Ein Administrator hat Ihre Zwei-Faktor-Anmeldung entfernt',
      text: 'Zum Anmelden genügt seit dem {changedAt} Ihr Passwort. Richten Sie Authenticator-App oder Passkeys neu ein.',
    },
    en: {
      title: 'An administrator removed your two-factor authentication',
      text: 'Since {changedAt}, your password alone has been enough to sign in. Set up your authenticator app or passkeys again.',
    },
  },
  passkey_added: {
    path: '/settings?tab=security',
    de: {
      title: 'Passkey hinzugefügt',
      text: '„{passkey}“, am {changedAt}. Waren Sie das nicht? Dann entfernen Sie den Passkey und ändern Sie Ihr Passwort.',
    },
    en: {
      title: 'Passkey added',
      text: '“{passkey}”, on {changedAt}. Wasn’t this you? Remove the passkey and change your password.',
    },
  },
  api_key_created: {
    path: '/settings?tab=security',
    de: {
      title: 'API-Schlüssel erstellt',
      text: '„{apiKey}“, am {changedAt}. Waren Sie das nicht? Dann widerrufen Sie den Schlüssel und ändern Sie Ihr Passwort.',
    },
    en: {
      title: 'API key created',
      text: '“{apiKey}”, on {changedAt}. Wasn’t this you? Revoke the key and change your password.',
    },
  },
  passkey_removed: {
    path: '/settings?tab=security',
    de: {
      title: 'Passkey entfernt',
      text: '„{passkey}“, am {changedAt}. Waren Sie das nicht? Dann beenden Sie unbekannte Sitzungen und ändern Sie Ihr Passwort.',
    },
    en: {
      title: 'Passkey removed',
      text: '“{passkey}”, on {changedAt}. Wasn’t this you? End any session you don’t recognize and change your password.',
    },
  },
  identity_linked: {
    path: '/settings?tab=security',
    de: {
      title: 'Anmeldung über {provider} verknüpft',
      text: 'Verknüpft am {changedAt}. Waren Sie das nicht? Dann lösen Sie die Verknüpfung und ändern Sie Ihr Passwort.',
    },
    en: {
      title: 'Sign-in with {provider} linked',
      text: 'Linked on {changedAt}. Wasn’t this you? Unlink it and change your password.',
    },
  },
  identity_unlinked: {
    path: '/settings?tab=security',
    de: {
      title: 'Verknüpfung mit {provider} gelöst',
      text: 'Gelöst am {changedAt}. Waren Sie das nicht? Dann beenden Sie unbekannte Sitzungen und ändern Sie Ihr Passwort.',
    },
    en: {
      title: 'Sign-in with {provider} unlinked',
      text: 'Unlinked on {changedAt}. Wasn’t this you? End any session you don’t recognize and change your password.',
    },
  },
  recovery_codes_replaced: {
    path: '/settings?tab=security',
    de: {
      title: 'Neue Wiederherstellungscodes',
      text: 'Erstellt am {changedAt}. Die alten gelten nicht mehr. Waren Sie das nicht? Dann wenden Sie sich sofort an den Betreiber.',
    },
    en: {
      title: 'New recovery codes',
      text: 'Created on {changedAt}. The old ones no longer work. Wasn’t this you? Contact the operator immediately.',
    },
  },
  recovery_code_used: {
    path: '/settings?tab=security',
    de: {
      title: 'Wiederherstellungscode verwendet',
      text: 'Verwendet am {usedAt}. Noch unbenutzt: {left}. Waren Sie das nicht? Dann wenden Sie sich sofort an den Betreiber.',
    },
    en: {
      title: 'Recovery code used',
      text: 'Used on {usedAt}. Codes left: {left}. Wasn’t this you? Contact the operator immediately.',
    },
  },
  wrong_codes: {
    path: '/settings?tab=security',
    de: {
      title: 'Jemand kennt vermutlich Ihr Passwort',
      text: 'Bis zum {guessedAt} wurden mehrmals falsche Codes eingegeben. Waren Sie das nicht? Dann ändern Sie sofort Ihr Passwort.',
    },
    en: {
      title: 'Somebody may know your password',
      text: 'Several incorrect codes were entered, most recently on {guessedAt}. Wasn’t this you? Change your password immediately.',
    },
  },
};
