import { locales, withUnitKept } from '@talpa/contracts/format';
import type { Language } from '@talpa/contracts/language';

export { formatList, formatSpan } from '@talpa/contracts/format';

/** A day: „5. Dezember 2026“, “December 5, 2026”. Null when the text is no time. */
export function formatDate(time: string, language: Language): string | null {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return null;
  const format = new Intl.DateTimeFormat(locales[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return withDateKept(format.format(date));
}

/** No line ends within a date, nor within the time that follows it. */
const withDateKept = (date: string) => date.replace(/ (?!(?:um|at) )/g, '\u00a0');

/** An amount of euro cents: „2,99 €“, “€2.99”. */
export function formatEuros(cents: number, language: Language): string {
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'EUR' }).format(cents / 100);
}

/** A number with the language's separators. */
export function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(locales[language]).format(count);
}

const shownOfToken = 15;

/** A secret in the parts in which it is shown: an ellipsis stands for its middle when it has more than 30 characters. */
export function hiddenOfToken(token: string): {
  readonly first: string;
  readonly middle: string;
  readonly last: string;
} {
  const isLong = token.length > 2 * shownOfToken;
  const end = isLong ? token.length - shownOfToken : shownOfToken;
  return {
    first: token.slice(0, shownOfToken),
    middle: token.slice(shownOfToken, end),
    last: token.slice(end),
  };
}

/** How each language writes the time of the day, wherever it stands: „07:26“, “7:26 AM”. */
const clock: Readonly<Record<Language, Intl.DateTimeFormatOptions>> = {
  de: { hour: '2-digit', minute: '2-digit' },
  en: { hour: 'numeric', minute: '2-digit' },
};

/** A moment to the minute: „5. Dezember 2026 um 07:26“, “December 5, 2026 at 7:26 AM”. */
export function formatTime(time: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short' });
  return withDateKept(format.format(new Date(time)));
}

/** A moment to the minute where a table has room for one line: „05.12.2026, 07:26“, “Dec 5, 2026, 7:26 AM”. */
export function formatShortTime(time: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' });
  return format.format(new Date(time)).replace(/\s/g, '\u00a0');
}

/** A moment of the last weeks to the second, in one line of a log: „5. Dez., 07:26:05“, “Dec 5, 7:26:05 AM”. */
export function formatLogTime(time: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    ...{ day: 'numeric', month: 'short' },
    ...{ ...clock[language], second: '2-digit' },
  });
  return format.format(new Date(time)).replace(/\s/g, '\u00a0');
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** An amount of bytes in the unit that reads best: „1,5 MB“, “1.5 MB”. */
export function formatBytes(bytes: number, language: Language): string {
  const inUnit = (power: number) => Math.round((bytes / 1_000 ** power) * 10) / 10;
  const last = byteUnits.length - 1;
  const power = byteUnits.findIndex((_, at) => at === last || inUnit(at) < 1_000);
  // Intl writes a byte as “17 byte”, and kilobytes as “1.2 kB”.
  return `${formatCount(inUnit(power), language)}\u00a0${byteUnits[power]}`;
}

/** A share (0–1) in percent, rounded down: whole is only what is whole. */
export function formatShare(share: number, language: Language, digits = 2): string {
  const steps = 100 * 10 ** digits;
  return new Intl.NumberFormat(locales[language], {
    style: 'percent',
    maximumFractionDigits: digits,
  }).format(Math.floor(share * steps) / steps);
}

/** The short name of a day: „Mo“, “Mon”. */
export function formatWeekday(time: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { weekday: 'short' }).format(new Date(time));
}

/** How many calendar days a time is ahead of now where the reader is: „heute“, „morgen“, „in 5 Tagen“. */
export function formatDaysAhead(time: string, now: Date, language: Language): string {
  const dayOf = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((dayOf(new Date(time)) - dayOf(now)) / 86_400_000);
  const format = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' });
  return withUnitKept(format.format(days, 'day'));
}

/** A moment to the second: „5. Dezember 2026 um 07:26:09“, “December 5, 2026 at 7:26:09 AM”. */
export function formatMoment(time: string, language: Language): string {
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'medium' });
  return withDateKept(format.format(new Date(time)));
}

/** The time of the day: „07:26“, “7:26 AM”. */
export function formatClock(time: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], clock[language]).format(new Date(time));
}

const agoUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * For how long something has lasted, to the minute, the hour or the day, as it follows „seit“: „2 Tagen“; a minute at
 * least.
 * @param now ms; clocks differ, so what lies ahead has just begun.
 */
export function formatLasting(time: string, now: number, language: Language): string {
  const passed = Math.max(60_000, now - new Date(time).getTime());
  const [unit, ms] = agoUnits.find(([, length]) => passed >= length) ?? agoUnits[2];
  // „in 3 Tagen“ without the first word: the case that follows „seit“, too.
  const parts = new Intl.RelativeTimeFormat(locales[language]).formatToParts(Math.floor(passed / ms), unit);
  const from = parts.findIndex(({ type }) => type === 'integer');
  return withUnitKept(
    parts
      .slice(from)
      .map(({ value }) => value)
      .join(''),
  );
}

/**
 * How long ago a moment was, to the minute, the hour or the day: „vor 2 Minuten“; null within the last minute.
 * @param now ms; clocks differ, so what lies ahead is now.
 */
export function formatAgo(time: string, now: number, language: Language): string | null {
  const passed = now - new Date(time).getTime();
  const [unit, ms] = agoUnits.find(([, length]) => passed >= length) ?? [];
  if (!unit || !ms) return null;
  return withUnitKept(new Intl.RelativeTimeFormat(locales[language]).format(-Math.floor(passed / ms), unit));
}

/** The time zone of this device, wherever it is now: `Europe/Berlin`. */
export const deviceTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const countryNames = new Map<Language, Intl.DisplayNames>();

/** What a country is called, by its two letters. */
export function formatCountry(code: string, language: Language): string {
  const names =
    countryNames.get(language) ?? new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  countryNames.set(language, names);
  return names.of(code) ?? code;
}
