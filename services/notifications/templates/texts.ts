import type { Language, MailKind, MailParams } from '@talpa/contracts';

/** What an email says in one language. `{name}` is replaced by a value. */
export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A page of the panel, where its address is known. */
  readonly link?: { readonly label: string; readonly path: string };
}

/** The values of a text, ready to be shown. */
type Values<K extends MailKind> = readonly (keyof MailParams<K> & string)[];

/** The moments among the values of each kind. */
export const moments = {
  test: [],
  password_changed: ['changedAt'],
} as const satisfies { readonly [K in MailKind]: Values<K> };

export const frame = {
  de: {
    greeting: 'Guten Tag {username},',
    anybody: 'Guten Tag,',
    automatic: 'Diese E-Mail wurde automatisch gesendet.',
    automaticFrom: 'Diese E-Mail wurde automatisch von {host} gesendet.',
  },
  en: {
    greeting: 'Hi {username},',
    anybody: 'Hi,',
    automatic: 'This email was sent automatically.',
    automaticFrom: 'This email was sent automatically by {host}.',
  },
} as const satisfies Record<Language, object>;

/** Every email's text. */
export const mailTexts: { readonly [K in MailKind]: Readonly<Record<Language, MailText>> } = {
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
  password_changed: {
    de: {
      subject: 'Ihr Passwort wurde geändert',
      paragraphs: [
        'das Passwort Ihres Kontos wurde am {changedAt} geändert. Alle anderen Sitzungen wurden dabei beendet.',
        'Waren Sie das nicht? Dann wenden Sie sich sofort an den Betreiber des Panels.',
      ],
      link: { label: 'Sitzungen und Passwort ansehen', path: '/settings' },
    },
    en: {
      subject: 'Your password was changed',
      paragraphs: [
        'Your account’s password was changed on {changedAt}. All of your other sessions were ended.',
        'Wasn’t this you? Contact the operator of the panel immediately.',
      ],
      link: { label: 'Review sessions and password', path: '/settings' },
    },
  },
};
