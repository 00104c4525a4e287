import type { Language } from '@talpa/contracts';

/** What stands around the text of every email. */
export const frame = {
  de: {
    greeting: 'Guten Tag {username},',
    anybody: 'Guten Tag,',
    automatic: 'Diese E-Mail wurde automatisch gesendet.',
    automaticFrom: 'Diese E-Mail wurde automatisch von {host} gesendet.',
    withoutAddress: 'Den Link erhalten Sie, wenn Sie dies an die Adresse des Panels anhängen:',
    oneNotification: 'Eine neue Mitteilung',
    severalNotifications: '{count} neue Mitteilungen',
    whySubscribed:
      'Sie erhalten sie, weil Sie in den Einstellungen Mitteilungen per E-Mail eingeschaltet haben.',
    unsubscribe: 'Mitteilungen per E-Mail ausschalten',
  },
  en: {
    greeting: 'Hi {username},',
    anybody: 'Hi,',
    automatic: 'This email was sent automatically.',
    automaticFrom: 'This email was sent automatically by {host}.',
    withoutAddress: 'To get the link, add this to the panel’s address:',
    oneNotification: 'One new notification',
    severalNotifications: '{count} new notifications',
    whySubscribed: 'You get it because notifications by email are turned on in your settings.',
    unsubscribe: 'Turn off notifications by email',
  },
} as const satisfies Record<Language, object>;

/** What the test of a channel says. */
export const channelTest = {
  de: {
    title: 'Test des Kanals „{name}“',
    text: 'Wenn Sie das lesen, kommen Mitteilungen hier an.',
  },
  en: { title: 'Test of the channel “{name}”', text: 'If you can read this, notifications arrive here.' },
} as const satisfies Record<Language, object>;
