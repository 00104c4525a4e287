import { formatList, formatSpan } from './format.ts';
import { fill, type Language, type Text, type TextParams } from './language.ts';
import type { NotificationText } from './notification-text.ts';
import { byLink, noPlan, notificationTexts } from './notification-texts.ts';
import type { NotificationContent } from './notifications.ts';
import { planOf, type Tier } from './plans.ts';
import { providerFaultTexts } from './provider-fault-texts.ts';
import type { ProviderFault } from './provider-problems.ts';
import { roleTexts } from './role-texts.ts';
import type { ProxyRole } from './roles.ts';

export interface NotificationWords {
  readonly title: string;
  readonly text: string;
  /** The page of the panel that it leads to. */
  readonly path: string;
}

/** Writes a moment as its reader does, who has a time zone. */
export type FormatTime = (time: string, language: Language) => string;
export type FillText = (text: string, values: TextParams) => string;

/** What a notification says in a language. */
export function notificationWords(
  { kind, params }: NotificationContent,
  language: Language,
  formatTime: FormatTime,
  fillText: FillText = fill,
): NotificationWords {
  return fillWords(notificationTexts[kind], params, language, formatTime, fillText);
}

/** Puts values into the texts of a notification. */
export function fillWords(
  texts: NotificationText,
  params: object,
  language: Language,
  formatTime: FormatTime,
  fillText: FillText,
): NotificationWords {
  const { path } = texts;
  const words = texts[language];
  const say = (name: string, value: unknown): string | number => {
    if (name.endsWith('At')) return formatTime(String(value), language);
    if (name === 'plan' || name === 'from')
      return value === null ? noPlan[language] : planOf(value as Tier).name;
    if (name === 'invited' && value === null) return byLink[language];
    if (name === 'fault') return providerFaultTexts[value as ProviderFault][language];
    if (name === 'role') return roleTexts[value as ProxyRole][language];
    if (name === 'awaySeconds') return formatSpan(Number(value), language);
    if (Array.isArray(value)) return formatList(value, language);
    if (typeof value === 'object' && value !== null) return (value as Text)[language];
    return typeof value === 'number' ? value : String(value);
  };
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, say(name, value)]));
  return {
    title: fillText(words.title, values),
    text: fillText(words.text, values),
    path: fill(path, values),
  };
}
