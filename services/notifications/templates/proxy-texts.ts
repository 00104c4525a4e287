import type { Language } from '@talpa/contracts';
import type { MailText } from './mail-text.ts';

/** The texts of emails to those who have to do with a proxy and may have no account. No subject holds a text of users. */
export const proxyMailTexts = {
  proxy_invitation_link: {
    de: {
      subject: 'Einladung zu einem Proxy bei Talpa',
      paragraphs: [
        '{inviter} lädt Sie ein, beim Proxy „{proxy}“ mitzuhelfen. Melden Sie sich mit Ihrem Konto bei Talpa an, oder erstellen Sie eines, und nehmen Sie die Einladung an. Der Link ist 7\u00a0Tage gültig und funktioniert einmal.',
        'Sie kennen {inviter} nicht? Dann müssen Sie nichts tun. Ohne Ihre Zustimmung geschieht nichts.',
      ],
      link: { label: 'Einladung ansehen' },
    },
    en: {
      subject: 'Invitation to a proxy on Talpa',
      paragraphs: [
        '{inviter} invites you to help with the proxy “{proxy}”. Sign in with your Talpa account or create one, then accept the invitation. The link is valid for 7\u00a0days and works once.',
        'Don’t know {inviter}? Then you don’t need to do anything. Nothing happens unless you accept.',
      ],
      link: { label: 'View invitation' },
    },
  },
  access_code: {
    de: {
      subject: 'Ihr Code von Talpa',
      paragraphs: [
        'Ihr Code für „{host}“ ist:',
        '{code}',
        'Geben Sie ihn in dem Browser ein, in dem Sie ihn angefordert haben. Er ist 10\u00a0Minuten gültig und funktioniert einmal. Geben Sie ihn niemandem weiter.',
        'Sie haben keinen Code angefordert? Dann können Sie diese E-Mail ignorieren.',
      ],
    },
    en: {
      subject: 'Your code from Talpa',
      paragraphs: [
        'Your code for “{host}” is:',
        '{code}',
        'Enter it in the browser where you requested it. It is valid for 10\u00a0minutes and works once. Don’t share it with anyone.',
        'Didn’t request a code? You can ignore this email.',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, MailText>>>>;
