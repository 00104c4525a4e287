import {
  fill,
  type InstallationEvent,
  type InstallationTopic,
  installationKinds,
  installationWords,
  type Language,
  type NotificationContent,
  type NotificationLevel,
  notificationWords,
} from '@talpa/contracts';
import type { Owner } from '../channels/sql.ts';
import type { NotificationsSettings } from '../settings.ts';
import { channelTest } from '../templates/frame-texts.ts';
import { momentText } from '../templates/moment.ts';

/** What programs read. */
interface Content {
  readonly kind: string;
  readonly topic: InstallationTopic;
  readonly params: object;
  /** Whom an event of the installation concerns; null: no single user. */
  readonly user?: { readonly id: number; readonly name: string | null } | null;
}

/** A notification as a channel says it. */
export interface Said {
  /** Null: it is a test. */
  readonly content: Content | null;
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

interface Reader {
  /** Whose channel it is. */
  readonly userId: Owner;
  readonly name: string;
  readonly language: Language;
}

/** What notifications say to their user, or events to administrators; none: that it is a test. */
export function sayAll(
  notifications: readonly (NotificationContent | InstallationEvent)[],
  { userId, language, name }: Reader,
  { PUBLIC_URL: panel, TIME_ZONE: timeZone }: Settings,
): readonly Said[] {
  const urlOf = (path: string) => (panel ? new URL(path, panel).href : null);
  const timeText = (time: string) => momentText(time, language, timeZone);
  const isOwn = userId !== null;
  if (notifications.length === 0) {
    const { title, text } = channelTest[language];
    return [
      {
        content: null,
        level: 'info',
        title: fill(title, { name }),
        text: fill(text, { name }),
        url: urlOf(isOwn ? '/settings?tab=notifications' : '/admin/channels'),
      },
    ];
  }
  return notifications.map((one) => {
    const { title, text, path } = isOwn
      ? notificationWords(one as NotificationContent, language, timeText)
      : installationWords(one as InstallationEvent, language, timeText);
    return {
      content: contentOf(one, isOwn),
      level: levelOf(one),
      title,
      text,
      url: urlOf(path),
    };
  });
}

const levelOf = (one: NotificationContent | InstallationEvent) =>
  one.kind === 'announcement' ? one.params.level : installationKinds[one.kind].level;

function contentOf(one: NotificationContent | InstallationEvent, isOwn: boolean): Content {
  const { kind, params } = one;
  const content = { kind, topic: installationKinds[kind].topic, params };
  if (isOwn || !('userId' in one)) return content;
  return { ...content, user: one.userId === null ? null : { id: one.userId, name: one.user } };
}
