import type { Language, TextParams } from '@talpa/contracts/language';
import { de as adminAnnouncementsDe } from '../../../frontends/admin/src/announcements/texts-de.ts';
import { de as auditPageDe } from '../../../frontends/admin/src/audit/texts-de.ts';
import { de as adminMailsDe } from '../../../frontends/admin/src/mails/texts-de.ts';
import { de as adminDe } from '../../../frontends/admin/src/texts/de.ts';
import { de as authDe } from '../../../frontends/shell/src/auth/texts-de.ts';
import { en as authEn } from '../../../frontends/shell/src/auth/texts-en.ts';
import { de as mascotDe } from '../../../frontends/shell/src/mascot/texts-de.ts';
import { en as mascotEn } from '../../../frontends/shell/src/mascot/texts-en.ts';
import { de as shellDe } from '../../../frontends/shell/src/texts/de.ts';
import { en as shellEn } from '../../../frontends/shell/src/texts/en.ts';
import { de as accessDe } from '../../../frontends/user/src/access/texts-de.ts';
import { en as accessEn } from '../../../frontends/user/src/access/texts-en.ts';
import { de as apiKeysDe } from '../../../frontends/user/src/api-keys/texts-de.ts';
import { en as apiKeysEn } from '../../../frontends/user/src/api-keys/texts-en.ts';
import { de as domainsDe } from '../../../frontends/user/src/domains/texts-de.ts';
import { en as domainsEn } from '../../../frontends/user/src/domains/texts-en.ts';
import { de as gamePortsDe } from '../../../frontends/user/src/game-ports/texts-de.ts';
import { en as gamePortsEn } from '../../../frontends/user/src/game-ports/texts-en.ts';
import { de as membersDe } from '../../../frontends/user/src/members/texts-de.ts';
import { en as membersEn } from '../../../frontends/user/src/members/texts-en.ts';
import { de as inboxDe } from '../../../frontends/user/src/notifications/texts-de.ts';
import { en as inboxEn } from '../../../frontends/user/src/notifications/texts-en.ts';
import { de as paymentDe } from '../../../frontends/user/src/payment/texts-de.ts';
import { en as paymentEn } from '../../../frontends/user/src/payment/texts-en.ts';
import { de as requestsDe } from '../../../frontends/user/src/requests/texts-de.ts';
import { en as requestsEn } from '../../../frontends/user/src/requests/texts-en.ts';
import { de as serverPageDe } from '../../../frontends/user/src/server/texts-de.ts';
import { en as serverPageEn } from '../../../frontends/user/src/server/texts-en.ts';
import { de as serversDe } from '../../../frontends/user/src/servers/texts-de.ts';
import { en as serversEn } from '../../../frontends/user/src/servers/texts-en.ts';
import { de as settingsDe } from '../../../frontends/user/src/settings/texts-de.ts';
import { en as settingsEn } from '../../../frontends/user/src/settings/texts-en.ts';
import { de as userDe } from '../../../frontends/user/src/texts/de.ts';
import { en as userEn } from '../../../frontends/user/src/texts/en.ts';
import { de as channelsDe } from '../../../packages/panel-features/channels/texts-de.ts';
import { en as channelsEn } from '../../../packages/panel-features/channels/texts-en.ts';
import { de as notificationsDe } from '../../../packages/panel-features/notifications/texts-de.ts';
import { en as notificationsEn } from '../../../packages/panel-features/notifications/texts-en.ts';
import { de as proxyDe } from '../../../packages/panel-features/proxies/texts-de.ts';
import { en as proxyEn } from '../../../packages/panel-features/proxies/texts-en.ts';
import { de as kitDe } from '../../../packages/panel-kit/core/texts/de.ts';
import { en as kitEn } from '../../../packages/panel-kit/core/texts/en.ts';
import { fillText } from '../../../packages/panel-kit/core/texts/fill-text.ts';

/** The panel's own texts in a language: what a person reads on its buttons. */
export function wordsIn(language: Language) {
  const read =
    <K extends string>(de: Readonly<Record<K, string>>, en: Readonly<Record<K, string>>) =>
    (key: K, params?: TextParams) =>
      fillText((language === 'de' ? de : en)[key], params);
  return {
    kit: read(kitDe, kitEn),
    /** Of all parts of the shell. */
    shell: read({ ...shellDe, ...authDe, ...mascotDe }, { ...shellEn, ...authEn, ...mascotEn }),
    user: read(userDe, userEn),
    settings: read(settingsDe, settingsEn),
    apiKeys: read(apiKeysDe, apiKeysEn),
    /** Of lists, forms and a server's page. */
    servers: read({ ...serversDe, ...serverPageDe }, { ...serversEn, ...serverPageEn }),
    access: read(accessDe, accessEn),
    requests: read(requestsDe, requestsEn),
    domains: read(domainsDe, domainsEn),
    gamePorts: read(gamePortsDe, gamePortsEn),
    members: read(membersDe, membersEn),
    channels: read(channelsDe, channelsEn),
    payment: read(paymentDe, paymentEn),
    proxy: read(proxyDe, proxyEn),
    notifications: read(notificationsDe, notificationsEn),
    inbox: read(inboxDe, inboxEn),
    /** A page's entry in the menu. */
    menu: ({
      menu: { label },
    }: {
      readonly menu: { readonly label: { readonly de: string; readonly en?: string } };
    }) => label[language] ?? label.de,
    /** Administrators read German. */
    admin: read(adminDe, adminDe),
    adminAnnouncements: read(adminAnnouncementsDe, adminAnnouncementsDe),
    adminMails: read(adminMailsDe, adminMailsDe),
    auditPage: read(auditPageDe, auditPageDe),
  };
}
export type Words = ReturnType<typeof wordsIn>;
