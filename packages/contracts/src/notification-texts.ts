import type { Text } from './language.ts';
import type { NotificationText } from './notification-text.ts';
import type { NotificationKind } from './notifications.ts';
import { securityTexts } from './security-texts.ts';

/** Said in place of a plan's name. */
export const noPlan: Text = { de: 'kein Plan', en: 'no plan' };

const proxyPath = '/tunnel-configuration/{proxyId}';
const domainsPath = `${proxyPath}?tab=domains`;

/** Said in place of whom an invitation's link was for. */
export const byLink: Text = { de: 'über einen Link', en: 'by a link' };

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
  domain_verified: {
    path: domainsPath,
    de: { title: 'Domain „{domain}“ bestätigt', text: 'Sie führt jetzt zum Proxy „{proxy}“.' },
    en: { title: 'Domain “{domain}” confirmed', text: 'It now leads to the proxy “{proxy}”.' },
  },
  domain_failing: {
    path: domainsPath,
    de: {
      title: 'DNS-Einträge von „{domain}“ stimmen nicht mehr',
      text: 'Die Domain funktioniert noch bis {endsAt}. Stellen Sie die DNS-Einträge vorher wieder her. Auf der Seite des Proxys „{proxy}“ steht, welche sie braucht.',
    },
    en: {
      title: 'DNS records of “{domain}” are no longer correct',
      text: 'The domain keeps working until {endsAt}. Restore its DNS records before then. The page of the proxy “{proxy}” shows which ones it needs.',
    },
  },
  domain_lost: {
    path: domainsPath,
    de: {
      title: 'Domain „{domain}“ funktioniert nicht mehr',
      text: 'Ihre DNS-Einträge fehlten drei Tage lang oder waren falsch. Stellen Sie sie wieder her, und wählen Sie auf der Seite des Proxys „{proxy}“ „Jetzt prüfen“.',
    },
    en: {
      title: 'Domain “{domain}” no longer works',
      text: 'Its DNS records were missing or wrong for three days. Restore them, then choose “Check now” on the page of the proxy “{proxy}”.',
    },
  },
  domain_unverified: {
    path: domainsPath,
    de: {
      title: 'Domain „{domain}“ konnte nicht bestätigt werden',
      text: 'Ihre DNS-Einträge fehlen oder sind falsch und werden nicht mehr geprüft. Auf der Seite des Proxys „{proxy}“ steht, welche sie braucht.',
    },
    en: {
      title: 'Domain “{domain}” couldn’t be confirmed',
      text: 'Its DNS records are missing or wrong and aren’t checked anymore. The page of the proxy “{proxy}” shows which ones it needs.',
    },
  },
  proxy_invitation: {
    path: '/tunnel-configuration',
    de: {
      title: 'Einladung zum Proxy „{proxy}“',
      text: 'Sie können Mitglied werden, mit der Rolle „{role}“. Die Einladung steht bis zum {invitedUntilAt} auf der Seite „Proxy-Konfiguration“.',
    },
    en: {
      title: 'Invitation to the proxy “{proxy}”',
      text: 'You can become a member with the role “{role}”. The invitation is on the page “Proxy Configuration” until {invitedUntilAt}.',
    },
  },
  member_joined: {
    path: `${proxyPath}?tab=members`,
    de: {
      title: '{member} ist jetzt Mitglied von „{proxy}“',
      text: 'Die Einladung wurde angenommen. Rolle: {role}.',
    },
    en: {
      title: '{member} is now a member of “{proxy}”',
      text: 'The invitation was accepted. Role: {role}.',
    },
  },
  invitation_declined: {
    path: `${proxyPath}?tab=members`,
    de: {
      title: 'Einladung zu „{proxy}“ abgelehnt',
      text: 'Eingeladen: {invited}. Rolle: {role}.',
    },
    en: {
      title: 'Invitation to “{proxy}” declined',
      text: 'Invited: {invited}. Role: {role}.',
    },
  },
  member_left: {
    path: `${proxyPath}?tab=members`,
    de: {
      title: '{member} ist nicht mehr Mitglied von „{proxy}“',
      text: 'Die Person hat den Proxy verlassen, oder ihr Konto wurde gelöscht.',
    },
    en: {
      title: '{member} is no longer a member of “{proxy}”',
      text: 'They left the proxy, or their account was deleted.',
    },
  },
  membership_ended: {
    path: '/tunnel-configuration',
    de: {
      title: 'Kein Zugriff mehr auf „{proxy}“',
      text: 'Ihre Mitgliedschaft bei diesem Proxy ist beendet.',
    },
    en: {
      title: 'No more access to “{proxy}”',
      text: 'Your membership of this proxy has ended.',
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
  provider_fault: {
    path: '/',
    de: {
      title: 'Tunnel können nicht angelegt oder geändert werden',
      text: 'Neue Tunnel und Änderungen warten, bis das behoben ist. {fault}',
    },
    en: {
      title: 'Tunnels can’t be created or changed',
      text: 'New tunnels and changes wait until this is fixed. {fault}',
    },
  },
  provider_recovered: {
    path: '/',
    de: {
      title: 'Tunnel können wieder angelegt und geändert werden',
      text: 'Der Tunnel-Anbieter nimmt die Aufträge des Panels wieder an.',
    },
    en: {
      title: 'Tunnels can be created and changed again',
      text: 'The tunnel provider accepts the panel’s requests again.',
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
  ...securityTexts,
};
