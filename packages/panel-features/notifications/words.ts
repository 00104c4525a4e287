import type { Notification } from '@talpa/contracts';
import { notificationTexts } from '@talpa/contracts/notification-texts';
import { planOf, type Tier } from '@talpa/contracts/plans';
import { fillText, formatList, formatSpan, formatTime, useLanguage } from '@talpa/panel-kit/core';
import { useNotificationTexts } from './texts.ts';

interface NotificationWords {
  readonly title: string;
  readonly text: string;
  /** The page it leads to. */
  readonly path: string;
}

/** Gives what a notification says, in the language that is shown. */
export function useNotificationWords(): (notification: Notification) => NotificationWords {
  const language = useLanguage();
  const t = useNotificationTexts();
  const say = (name: string, value: unknown): string | number => {
    if (name.endsWith('At')) return formatTime(String(value), language);
    if (name === 'plan' || name === 'from') return value === null ? t('noPlan') : planOf(value as Tier).name;
    if (name === 'awaySeconds') return formatSpan(Number(value), language);
    if (Array.isArray(value)) return formatList(value, language);
    return typeof value === 'number' ? value : String(value);
  };
  return ({ kind, params }) => {
    const words = notificationTexts[kind];
    const values = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, say(name, value)]),
    );
    const { title, text } = words[language];
    return {
      title: fillText(title, values),
      text: fillText(text, values),
      path: fillText(words.path, values),
    };
  };
}
