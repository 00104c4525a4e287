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
  email: { de: 'E-Mail-Adresse', en: 'Email address' },
  sendCode: { de: 'Code senden', en: 'Send code' },
  codeTitle: { de: 'Code eingeben', en: 'Enter code' },
  codeText: {
    de: 'Wenn diese E-Mail-Adresse für „{host}“ eingetragen ist, ist ein Code unterwegs. Er gilt 10\u00a0Minuten und nur in diesem Browser. Haben Sie mehrere angefordert, zählt der letzte.',
    en: 'If this email address is listed for “{host}”, a code is on its way. It is valid for 10\u00a0minutes, in this browser only. If you requested more than one, the last one counts.',
  },
  code: { de: 'Code aus der E-Mail', en: 'Code from the email' },
  anotherCode: { de: 'Neuen Code anfordern', en: 'Request a new code' },
  submit: { de: 'Weiter', en: 'Continue' },
  or: { de: 'oder', en: 'or' },
  wrong_pin: { de: 'Die PIN ist falsch.', en: 'The PIN is incorrect.' },
  wrong_password: { de: 'Das Passwort ist falsch.', en: 'The password is incorrect.' },
  wrong_email: {
    de: 'Geben Sie eine gültige E-Mail-Adresse ein.',
    en: 'Enter a valid email address.',
  },
  wrong_code: {
    de: 'Der Code ist falsch oder gilt nicht mehr.',
    en: 'The code is incorrect or no longer valid.',
  },
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
