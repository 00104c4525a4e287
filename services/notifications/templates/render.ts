import {
  fill,
  isSubscribed,
  type Language,
  linkOf,
  type Mail,
  type MailContent,
  mailLinkPath,
  type NotificationContent,
  notificationWords,
  type TextParams,
  unsubscribePath,
} from '@talpa/contracts';
import type { NotificationsSettings } from '../settings.ts';
import { frame } from './frame-texts.ts';
import { escapeHtml, htmlPage } from './html.ts';
import type { MailText } from './mail-text.ts';
import { momentText } from './moment.ts';
import { mailTexts, moments } from './texts.ts';

interface Reader {
  /** Null: nobody we know. */
  readonly username: string | null;
  readonly language: Language;
  /** The secret of its link, or of the one that ends such emails, where its kind has one. */
  readonly token: string | null;
  /** What its text needs beside its params: what was asked for when it was sent. */
  readonly values?: TextParams | undefined;
}

interface RenderedMail extends MailContent {
  /** Where its reader ends such emails; left out where they are not to be ended, or nobody knows the panel's address. */
  readonly unsubscribeUrl?: string | undefined;
}

export type Render = (mail: Mail, reader: Reader) => RenderedMail;

type Settings = Pick<NotificationsSettings, 'PUBLIC_URL' | 'TIME_ZONE'>;

/** One part of an email, in both forms. */
interface Part {
  readonly text: string;
  readonly html: string;
}
interface Said {
  readonly subject: string;
  readonly parts: readonly Part[];
  readonly link: { readonly label: string; readonly url: string } | null;
}

/** Makes emails out of their texts. Links lead to PUBLIC_URL; without it there are none. */
export function createRender(settings: Settings): Render {
  const { PUBLIC_URL: panel } = settings;
  return (mail, reader) => {
    const { username, language, token } = reader;
    const words = frame[language];
    const values = panel ? { host: new URL(panel).host } : {};
    const greeting = fill(username === null ? words.anybody : words.greeting, { username: username ?? '' });
    const said =
      mail.kind === 'notifications'
        ? inboxSaid(mail.params.notifications, language, settings)
        : textSaid(mail, reader, settings);
    const url = panel && token !== null && isSubscribed(mail.kind) ? new URL(unsubscribePath, panel) : null;
    if (token !== null) url?.searchParams.set('token', token);
    const unsubscribe = url ? { label: words.unsubscribe, url: url.href } : null;
    const footer = [
      fill(panel ? words.automaticFrom : words.automatic, values),
      ...(isSubscribed(mail.kind) ? [words.whySubscribed] : []),
    ].join(' ');
    const subject = oneLine(said.subject);
    const { link } = said;
    return {
      subject,
      text: [
        greeting,
        ...said.parts.map(({ text }) => text),
        ...(link ? [`${link.label}:\n${link.url}`] : []),
        `-- \n${[footer, ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : [])].join('\n\n')}\n`,
      ].join('\n\n'),
      html: htmlPage({
        language,
        title: escapeHtml(subject),
        paragraphs: [escapeHtml(greeting), ...said.parts.map(({ html }) => html)],
        link: link ? htmlLink(link) : null,
        footer: `${escapeHtml(footer)}${unsubscribe ? `<br>${htmlLink(unsubscribe)}` : ''}`,
      }),
      ...(unsubscribe ? { unsubscribeUrl: unsubscribe.url } : {}),
    };
  };
}

const htmlLink = ({ label, url }: { readonly label: string; readonly url: string }) =>
  `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
const partOf = (text: string): Part => ({ text, html: escapeHtml(text) });

/** What the text of a kind says. */
function textSaid(
  mail: Exclude<Mail, { kind: 'notifications' }>,
  { language, token, values: asked }: Reader,
  { PUBLIC_URL: panel, TIME_ZONE: timeZone }: Settings,
): Said {
  const source: MailText = mailTexts[mail.kind][language];
  const values: TextParams = Object.fromEntries(
    Object.entries({ ...mail.params, ...asked }).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const isMoment = (moments[mail.kind] as readonly string[]).includes(name);
      return [[name, isMoment ? momentText(String(value), language, timeZone) : value]];
    }),
  );
  const purpose = linkOf(mail.kind);
  const path = purpose && token !== null ? mailLinkPath(purpose, token) : source.link?.path;
  const named = source.apiKeys !== undefined && values.apiKeys !== undefined ? [source.apiKeys] : [];
  const paragraphs = [...source.paragraphs, ...named].map((paragraph) => fill(paragraph, values));
  // A link that works once is worth something even where nobody has said under which address the panel is reached.
  if (!panel && purpose && path) paragraphs.push(frame[language].withoutAddress, path);
  return {
    subject: fill(source.subject, values),
    parts: paragraphs.map(partOf),
    link: panel && source.link && path ? { label: source.link.label, url: new URL(path, panel).href } : null,
  };
}

/** Their titles hold what somebody has named whom their reader may not know. */
const ofStrangers: ReadonlySet<NotificationContent['kind']> = new Set([
  'proxy_invitation',
  'membership_ended',
]);

/** What the inbox says, each with the page that it leads to. */
function inboxSaid(
  notifications: readonly NotificationContent[],
  language: Language,
  { PUBLIC_URL: panel, TIME_ZONE: timeZone }: Settings,
): Said {
  const said = notifications.map((one) =>
    notificationWords(one, language, (time) => momentText(time, language, timeZone)),
  );
  const [first] = said;
  return {
    subject:
      said.length === 1 && first
        ? notifications.some(({ kind }) => ofStrangers.has(kind))
          ? frame[language].oneNotification
          : first.title
        : fill(frame[language].severalNotifications, { count: said.length }),
    parts: said.map(({ title, text, path }) => {
      const url = panel ? new URL(path, panel).href : null;
      const heading = url ? htmlLink({ label: title, url }) : escapeHtml(title);
      return {
        text: [title, text, ...(url ? [url] : [])].join('\n'),
        html: `<strong>${heading}</strong><br>${escapeHtml(text)}`,
      };
    }),
    link: null,
  };
}

/** A header is one line, whatever is in a name. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ');
