import { fill, type Language, type Text, type TextParams } from './language.ts';

/** What the wall of a proxy says to its visitors. */
export const wallTexts = {
  title: { de: 'Anmeldung', en: 'Sign in' },
  text: {
    de: '„{host}“ ist geschützt. Melden Sie sich an, um fortzufahren.',
    en: '“{host}” is protected. Sign in to continue.',
  },
  textAll: {
    de: '„{host}“ ist geschützt. Hier sind mehrere Schritte nötig.',
    en: '“{host}” is protected. This takes more than one step.',
  },
  member: { de: 'Bei Talpa anmelden', en: 'Sign in with Talpa' },
  owner: { de: 'Als Besitzer anmelden', en: 'Sign in as the owner' },
  pin: { de: 'PIN', en: 'PIN' },
  password: { de: 'Passwort', en: 'Password' },
  submit: { de: 'Weiter', en: 'Continue' },
  or: { de: 'oder', en: 'or' },
  wrong_pin: { de: 'Die PIN ist falsch.', en: 'The PIN is incorrect.' },
  wrong_password: { de: 'Das Passwort ist falsch.', en: 'The password is incorrect.' },
  wait: {
    de: 'Zu viele Versuche. Versuchen Sie es in {minutes}\u00a0min noch einmal.',
    en: 'Too many attempts. Try again in {minutes}\u00a0min.',
  },
  sign_in_failed: {
    de: 'Die Anmeldung hat zu lange gedauert oder kam aus einem anderen Fenster. Versuchen Sie es noch einmal.',
    en: 'Signing in took too long or came from another window. Please try again.',
  },
} as const satisfies Record<string, Text>;
export type WallText = keyof typeof wallTexts;

/** A text of the wall. */
export const wallText = (key: WallText, language: Language, params: TextParams = {}): string =>
  fill(wallTexts[key][language], params);
