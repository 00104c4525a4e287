import type { Language, Text } from './language.ts';
import type { NotificationKind } from './notifications.ts';

/** What a notification says in one language. `{name}` is replaced by a value. */
interface Words {
  readonly title: string;
  readonly text: string;
}

export type NotificationText = Readonly<Record<Language, Words>> & {
  /** The page of the panel that it leads to. */
  readonly path: string;
};

/** Said in place of a plan's name. */
export const noPlan: Text = { de: 'kein Plan', en: 'no plan' };

const proxyPath = '/tunnel-configuration/{proxyId}';

/** Every notification's text: the panel shows it, and whatever else sends notifications. */
export const notificationTexts: { readonly [K in NotificationKind]: NotificationText } = {
  proxy_suspended: {
    path: proxyPath,
    de: {
      title: 'Proxy „{proxy}“ gesperrt',
      text: 'Ein Administrator hat den Proxy gesperrt. Er ist nicht mehr erreichbar. Grund: {reason}',
    },
    en: {
      title: 'Proxy “{proxy}” suspended',
      text: 'An administrator suspended the proxy. It can’t be reached anymore. Reason: {reason}',
    },
  },
  proxy_resumed: {
    path: proxyPath,
    de: {
      title: 'Sperre von „{proxy}“ aufgehoben',
      text: 'Der Proxy ist wieder erreichbar, sobald sich sein Connector verbindet.',
    },
    en: {
      title: 'Suspension of “{proxy}” lifted',
      text: 'The proxy can be reached again as soon as its connector connects.',
    },
  },
  proxy_error: {
    path: proxyPath,
    de: {
      title: 'Proxy „{proxy}“ hat einen Fehler',
      text: 'Sein Tunnel konnte nicht eingerichtet werden. Auf der Seite des Proxys steht, was zu tun ist.',
    },
    en: {
      title: 'Proxy “{proxy}” has an error',
      text: 'Its tunnel couldn’t be set up. The proxy’s page says what to do.',
    },
  },
  proxy_recovered: {
    path: proxyPath,
    de: {
      title: 'Fehler von „{proxy}“ behoben',
      text: 'Der Tunnel des Proxys ist wieder eingerichtet.',
    },
    en: {
      title: 'Error of “{proxy}” resolved',
      text: 'The proxy’s tunnel is set up again.',
    },
  },
  connector_lost: {
    path: proxyPath,
    de: {
      title: 'Proxy „{proxy}“ ist nicht mehr verbunden',
      text: 'Sein Connector ist seit dem {lostAt} getrennt. Läuft er auf Ihrem Server noch?',
    },
    en: {
      title: 'Proxy “{proxy}” is no longer connected',
      text: 'Its connector has been disconnected since {lostAt}. Is it still running on your server?',
    },
  },
  connectors_lost: {
    path: '/tunnel-configuration',
    de: {
      title: 'Mehrere Proxys sind nicht mehr verbunden',
      text: 'Getrennt seit dem {lostAt}: {names}. Laufen die Connectoren auf Ihren Servern noch?',
    },
    en: {
      title: 'Several proxies are no longer connected',
      text: 'Disconnected since {lostAt}: {names}. Are the connectors still running on your servers?',
    },
  },
  connector_back: {
    path: proxyPath,
    de: {
      title: 'Proxy „{proxy}“ ist wieder verbunden',
      text: 'Sein Connector war {awaySeconds} lang getrennt.',
    },
    en: {
      title: 'Proxy “{proxy}” is connected again',
      text: 'Its connector was disconnected for {awaySeconds}.',
    },
  },
  connectors_back: {
    path: '/tunnel-configuration',
    de: { title: 'Mehrere Proxys sind wieder verbunden', text: 'Wieder verbunden: {names}' },
    en: { title: 'Several proxies are connected again', text: 'Connected again: {names}' },
  },
  origin_lost: {
    path: proxyPath,
    de: {
      title: 'Admin-Panel von „{proxy}“ antwortet nicht',
      text: 'Der Connector ist verbunden, erreicht das Admin-Panel aber seit dem {lostAt} nicht. Läuft es noch, und stimmen IP-Adresse und Port?',
    },
    en: {
      title: 'Admin panel of “{proxy}” isn’t responding',
      text: 'The connector is connected but hasn’t been able to reach the admin panel since {lostAt}. Is it still running, and are its IP address and port correct?',
    },
  },
  origin_back: {
    path: proxyPath,
    de: {
      title: 'Admin-Panel von „{proxy}“ antwortet wieder',
      text: 'Es war {awaySeconds} lang nicht erreichbar.',
    },
    en: {
      title: 'Admin panel of “{proxy}” is responding again',
      text: 'It couldn’t be reached for {awaySeconds}.',
    },
  },
  connectors_lost_at_once: {
    path: '/admin/tunnel',
    de: {
      title: 'Viele Connectoren wurden gleichzeitig getrennt',
      text: 'Betroffene Proxys: {count}. Prüfen Sie, ob die Tunnel-Server laufen und erreichbar sind. Die Besitzer werden vorerst nicht benachrichtigt.',
    },
    en: {
      title: 'Many connectors were disconnected simultaneously',
      text: 'Proxies affected: {count}. Check whether the tunnel servers are running and can be reached. For now, the owners aren’t notified.',
    },
  },
  limit_reached: {
    path: '/subscription',
    de: {
      title: 'Proxy-Limit erreicht',
      text: 'Ihr Plan erlaubt nicht mehr als {limit}. Für weitere Proxys brauchen Sie einen größeren Plan.',
    },
    en: {
      title: 'Proxy limit reached',
      text: 'Your plan allows no more than {limit}. For more proxies, you need a larger plan.',
    },
  },
  account_suspended: {
    path: '/',
    de: {
      title: 'Ihr Konto wurde gesperrt',
      text: 'Ihre Proxys sind bis auf Weiteres nicht erreichbar. Grund: {reason}',
    },
    en: {
      title: 'Your account was suspended',
      text: 'Your proxies can’t be reached until further notice. Reason: {reason}',
    },
  },
  account_resumed: {
    path: '/',
    de: {
      title: 'Die Sperre Ihres Kontos wurde aufgehoben',
      text: 'Ihre Proxys sind wieder erreichbar, sobald sich ihre Connectoren verbinden.',
    },
    en: {
      title: 'Your account’s suspension was lifted',
      text: 'Your proxies can be reached again as soon as their connectors connect.',
    },
  },
  plan_changed: {
    path: '/subscription',
    de: { title: 'Ihr Plan ist jetzt „{plan}“', text: 'Bisher: {from}' },
    en: { title: 'Your plan is now “{plan}”', text: 'Previously: {from}' },
  },
  plan_removed: {
    path: '/subscription',
    de: {
      title: 'Sie haben keinen Plan mehr',
      text: 'Ihr Plan „{plan}“ wurde entfernt. Ohne Plan können Sie keine weiteren Proxys anlegen.',
    },
    en: {
      title: 'You no longer have a plan',
      text: 'Your plan “{plan}” was removed. Without a plan, you can’t create more proxies.',
    },
  },
  plan_renewed: {
    path: '/subscription',
    de: { title: 'Plan „{plan}“ verlängert', text: 'Er läuft jetzt bis zum {endsAt}.' },
    en: { title: 'Plan “{plan}” renewed', text: 'It now runs until {endsAt}.' },
  },
  plan_ending: {
    path: '/subscription',
    de: {
      title: 'Ihr Plan „{plan}“ endet bald',
      text: 'Er läuft bis zum {endsAt}. Wenn Sie ihn nicht verlängern, gilt danach der kostenlose Plan.',
    },
    en: {
      title: 'Your plan “{plan}” ends soon',
      text: 'It runs until {endsAt}. Unless you renew it, the free plan applies after that.',
    },
  },
  plan_ended: {
    path: '/subscription',
    de: { title: 'Ihr Plan „{plan}“ ist abgelaufen', text: 'Es gilt jetzt der kostenlose Plan.' },
    en: { title: 'Your plan “{plan}” has expired', text: 'The free plan applies now.' },
  },
  announcement: {
    path: '/notifications',
    de: { title: '{title}', text: '{text}' },
    en: { title: '{title}', text: '{text}' },
  },
  email_undeliverable: {
    path: '/settings',
    de: {
      title: 'E-Mails erreichen Sie nicht',
      text: 'Der E-Mail-Server lehnt E-Mails an Ihre Adresse ab. Prüfen Sie die Adresse in den Einstellungen.',
    },
    en: {
      title: 'Emails aren’t reaching you',
      text: 'The mail server rejects emails to your address. Check the address in your settings.',
    },
  },
  channel_gone: {
    path: '/settings?tab=notifications',
    de: {
      title: 'Kanal „{channel}“ ausgeschaltet',
      text: 'Der Empfänger meldet, dass es ihn nicht mehr gibt. Prüfen Sie den Kanal, und schalten Sie ihn dann wieder ein.',
    },
    en: {
      title: 'Channel “{channel}” turned off',
      text: 'The receiver says that it no longer exists. Check the channel, then turn it on again.',
    },
  },
  channel_failing: {
    path: '/settings?tab=notifications',
    de: {
      title: 'Kanal „{channel}“ ausgeschaltet',
      text: 'Seit drei Tagen ist keine Mitteilung mehr angekommen. Prüfen Sie den Kanal, und schalten Sie ihn dann wieder ein.',
    },
    en: {
      title: 'Channel “{channel}” turned off',
      text: 'No notification has arrived for three days. Check the channel, then turn it on again.',
    },
  },
  installation_channel_gone: {
    path: '/admin/channels',
    de: {
      title: 'Kanal der Installation „{channel}“ ausgeschaltet',
      text: 'Der Empfänger meldet, dass es ihn nicht mehr gibt. Prüfen Sie den Kanal, und schalten Sie ihn dann wieder ein.',
    },
    en: {
      title: 'Installation channel “{channel}” turned off',
      text: 'The receiver says that it no longer exists. Check the channel, then turn it on again.',
    },
  },
  installation_channel_failing: {
    path: '/admin/channels',
    de: {
      title: 'Kanal der Installation „{channel}“ ausgeschaltet',
      text: 'Seit drei Tagen ist keine Nachricht mehr angekommen. Prüfen Sie den Kanal, und schalten Sie ihn dann wieder ein.',
    },
    en: {
      title: 'Installation channel “{channel}” turned off',
      text: 'No message has arrived for three days. Check the channel, then turn it on again.',
    },
  },
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
      text: 'Geändert am {changedAt}. Waren Sie das nicht? Dann öffnen Sie „Das war ich nicht“ in der E-Mail an Ihre bisherige Adresse.',
    },
    en: {
      title: 'Your email address was changed',
      text: 'Changed on {changedAt}. Wasn’t this you? Open “This wasn’t me” in the email to your previous address.',
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
