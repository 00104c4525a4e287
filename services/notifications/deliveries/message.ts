import {
  fill,
  type Language,
  type NotificationContent,
  type NotificationLevel,
  notificationKinds,
  notificationWords,
} from '@talpa/contracts';
import type { NotificationsSettings } from '../settings.ts';
import { momentText } from '../templates/moment.ts';
import { channelTest } from '../templates/texts.ts';

/** A notification as a channel says it. */
export interface Said {
  readonly content: NotificationContent | null;
  readonly level: NotificationLevel;
  readonly title: string;
  readonly text: string;
  /** The page of the panel that it leads to; null where nobody has said under which address the panel is reached. */
  readonly url: string | null;
}

export interface Message {
  readonly id: string;
  readonly createdAt: Date;
  /** At least one. */
  readonly said: readonly Said[];
}

type Settings = Pick<NotificationsSettings, 'PUBLIC_URL' | 'TIME_ZONE'>;

/** What notifications say, in the words of the inbox; of none, that it is a test. */
export function sayAll(
  notifications: readonly NotificationContent[],
  { language, name }: { readonly language: Language; readonly name: string },
  { PUBLIC_URL: panel, TIME_ZONE: timeZone }: Settings,
): readonly Said[] {
  const urlOf = (path: string) => (panel ? new URL(path, panel).href : null);
  if (notifications.length === 0) {
    const { title, text } = channelTest[language];
    return [
      {
        ...{ content: null, level: 'info', title: fill(title, { name }), text: fill(text, { name }) },
        url: urlOf('/settings?tab=notifications'),
      },
    ];
  }
  return notifications.map((content) => {
    const { title, text, path } = notificationWords(content, language, (time) =>
      momentText(time, language, timeZone),
    );
    const level =
      content.kind === 'announcement' ? content.params.level : notificationKinds[content.kind].level;
    return { content, level, title, text, url: urlOf(path) };
  });
}
