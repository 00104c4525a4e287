import {
  fill,
  type Language,
  linkOf,
  linkPaths,
  type Mail,
  type MailContent,
  type TextParams,
} from '@talpa/contracts';
import type { NotificationsSettings } from '../settings.ts';
import { escapeHtml, htmlPage } from './html.ts';
import { frame, type MailText, mailTexts, moments } from './texts.ts';

interface Reader {
  /** Null: nobody we know. */
  readonly username: string | null;
  readonly language: Language;
  /** The secret of its link, where its kind has one. */
  readonly token: string | null;
}

export type Render = (mail: Mail, reader: Reader) => MailContent;

/** Makes emails out of their texts. Links lead to PUBLIC_URL; without it there are none. */
export function createRender(settings: Pick<NotificationsSettings, 'PUBLIC_URL' | 'TIME_ZONE'>): Render {
  const { PUBLIC_URL: panel, TIME_ZONE: timeZone } = settings;
  return (mail, { username, language, token }) => {
    const source: MailText = mailTexts[mail.kind][language];
    const words = frame[language];
    const shown = Object.entries(mail.params).map(([name, value]) => [
      name,
      (moments[mail.kind] as readonly string[]).includes(name)
        ? momentText(value, language, timeZone)
        : value,
    ]);
    const values: TextParams = {
      ...Object.fromEntries(shown),
      ...(username === null ? {} : { username }),
      ...(panel ? { host: new URL(panel).host } : {}),
    };
    const paragraphs = [username === null ? words.anybody : words.greeting, ...source.paragraphs];
    const purpose = linkOf(mail.kind);
    const path = purpose && token !== null ? `${linkPaths[purpose]}#${token}` : source.link?.path;
    const link =
      panel && source.link && path ? { label: source.link.label, url: new URL(path, panel).href } : null;
    // A link that works once is worth something even where nobody has said under which address the panel is reached.
    if (!panel && purpose && path) paragraphs.push(words.withoutAddress, path);
    const footer = panel ? words.automaticFrom : words.automatic;
    const subject = oneLine(fill(source.subject, values));
    const escaped = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, escapeHtml(String(value))]),
    );
    return {
      subject,
      text: [
        ...paragraphs.map((paragraph) => fill(paragraph, values)),
        ...(link ? [`${link.label}:\n${link.url}`] : []),
        `-- \n${fill(footer, values)}\n`,
      ].join('\n\n'),
      html: htmlPage({
        language,
        title: escapeHtml(subject),
        paragraphs: paragraphs.map((paragraph) => fill(escapeHtml(paragraph), escaped)),
        link: link ? { label: escapeHtml(link.label), url: escapeHtml(link.url) } : null,
        footer: fill(escapeHtml(footer), escaped),
      }),
    };
  };
}

/** A header is one line, whatever is in a name. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, ' ');

function momentText(iso: string, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-US', {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: language === 'de' ? '2-digit' : 'numeric', minute: '2-digit', timeZoneName: 'short' },
    timeZone,
  }).format(new Date(iso));
}
