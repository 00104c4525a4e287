import type { Language } from './language.ts';

/** How each language writes numbers and dates. */
export const locales: Readonly<Record<Language, string>> = { de: 'de-DE', en: 'en-US' };

/** Items of a sentence: „7844, 443 und 80“, “7844, 443, and 80”. */
export function formatList(items: readonly string[], language: Language): string {
  return new Intl.ListFormat(locales[language]).format(items);
}

/** No line ends between a number and its unit. */
export const withUnitKept = (span: string): string => span.replace(/(\d) (?=\p{L})/u, '$1\u00a0');

const spanUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long something took, in its two largest units: „2 Stunden und 5 Minuten“; at least a minute. */
export function formatSpan(seconds: number, language: Language): string {
  let left = Math.max(60, seconds);
  const parts = spanUnits.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    const format = new Intl.NumberFormat(locales[language], { style: 'unit', unit, unitDisplay: 'long' });
    return count > 0 ? [withUnitKept(format.format(count))] : [];
  });
  return formatList(parts.slice(0, 2), language);
}
