import type { Language } from '@talpa/contracts/language';

const locales: Readonly<Record<Language, string>> = { de: 'de-DE', en: 'en-US' };

/** A day: «5. Dezember 2026», “December 5, 2026”. Null when the text is no time. */
export function formatDate(time: string, language: Language): string | null {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return null;
  return new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(date);
}

/** An amount of euro cents: «2,99 €», “€2.99”. */
export function formatEuros(cents: number, language: Language): string {
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'EUR' }).format(cents / 100);
}

/** A whole number with the language's separators. */
export function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(locales[language]).format(count);
}

const shownOfToken = 15;

/** A secret as it is shown: the first and last 15 characters when it has more than 30. */
export function shortToken(token: string): string {
  if (token.length <= 2 * shownOfToken) return token;
  return `${token.slice(0, shownOfToken)}…${token.slice(-shownOfToken)}`;
}
