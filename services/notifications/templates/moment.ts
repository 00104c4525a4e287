import type { Language } from '@talpa/contracts';

/** A moment as texts outside of the panel write it. */
export function momentText(iso: string, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: language === 'de' ? '2-digit' : 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(iso));
}
