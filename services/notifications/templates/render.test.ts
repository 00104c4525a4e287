import { fill, languages, linkOf, type Mail, mailKindNames } from '@talpa/contracts';
import { mailSamples, askedValues as values } from '@talpa/test-kit/mails';
import { notificationSamples } from '@talpa/test-kit/notifications';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { describe, expect, it } from 'vitest';
import { frame } from './frame-texts.ts';
import { createRender } from './render.ts';
import { mailTexts } from './texts.ts';

const render = createRender({ PUBLIC_URL: 'https://panel.example.org', TIME_ZONE: 'Europe/Berlin' });
const token = 'ein-geheimnis';
const reader = { username: 'anna', token } as const;
const homeless = createRender({ PUBLIC_URL: undefined, TIME_ZONE: 'Europe/Berlin' });
const hostile = '<img src=x onerror=alert(1)>"\'&{changedAt}\r\nBcc: x@example.org';
/** What is chosen from a table, in samples; every other text was written by somebody. */
const chosen = ['kind', 'language', 'level', 'role', 'plan', 'from', 'statusReason', 'fault'];
/** The same email with this in place of every text that somebody wrote. */
const named = (mail: Mail, name: string): Mail =>
  JSON.parse(
    JSON.stringify(mail, (key, value) => {
      const isText = typeof value === 'string' && !chosen.includes(key) && Number.isNaN(Date.parse(value));
      return isText ? name : value;
    }),
  );
/** Every email, and that of notifications about each kind of them, alone and together. */
const everyMail: readonly Mail[] = [
  ...Object.values(mailSamples),
  ...Object.values(notificationSamples).map(
    (one): Mail => ({ kind: 'notifications', params: { notifications: [one] } }),
  ),
  { kind: 'notifications', params: { notifications: Object.values(notificationSamples) } },
];
const tagsOf = (html: string) => html.match(/<[^>]*>/g);
const unescaped = (html: string) =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

describe.each(mailKindNames.flatMap((kind) => languages.map((language) => ({ kind, language }))))(
  'the email “$kind” in $language',
  ({ kind, language }) => {
    it('has no text left to fill, and is readable in the dark and without images', () => {
      const { subject, text, html } = render(mailSamples[kind], {
        username: 'Ünal',
        language,
        token,
        values,
      });
      expect([subject, text, html.replace(/<style>.*<\/style>/s, '')].join('\n')).not.toMatch(
        /[{}]|undefined/,
      );
      expect(text).toContain('Ünal');
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).not.toMatch(/<img|<script|<link|style=|url\(/);
    });

    it('leads to PUBLIC_URL alone, and nowhere without it', () => {
      const { text, html } = render(mailSamples[kind], { ...reader, language, values });
      const links = [...`${text}\n${html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(
        ([link]) => new URL(link).host,
      );
      expect(new Set(links).size).toBeLessThanOrEqual(1);
      for (const host of links) expect(host).toBe('panel.example.org');
      const without = homeless(mailSamples[kind], { ...reader, language, values });
      expect(`${without.text}${without.html}`).not.toMatch(/https?:/);
      // What works once can still be opened.
      if (linkOf(kind))
        for (const said of [text, html, without.text, without.html]) expect(said).toContain(`#${token}`);
    });
  },
);

describe.each([
  ['with PUBLIC_URL', render],
  ['without it', homeless],
])('%s', (_where, made) => {
  it.each(['proxy_invitation_link', 'access_code'] as const)(
    'no text of users is in the subject of “%s”, whose reader may be a stranger to them',
    (kind) => {
      for (const language of languages) {
        const said = { username: null, language, token };
        const one = made(named(mailSamples[kind], hostile), {
          ...said,
          values: { host: hostile, code: '123456' },
        });
        expect(one.subject).toBe(made(mailSamples[kind], { ...said, values }).subject);
      }
    },
  );

  it('whatever somebody wrote is text: no tag comes of it, none of it is lost, and the subject is one line', () => {
    const random = randomFrom(35);
    const pieces = [
      '<',
      '>',
      '&',
      '"',
      "'",
      '{proxy}',
      '$&',
      '&amp;',
      '</title>',
      '<b>',
      '\r\n',
      '\u2028',
      'ä',
      '=',
      ' ',
    ];
    for (const mail of everyMail)
      for (const language of languages)
        for (let round = 0; round < 5; round++) {
          const name = `a${Array.from({ length: 1 + random.below(8) }, () => random.pick(pieces)).join('')}z`;
          const one = (text: string) =>
            made(named(mail, text), { language, token, username: text, values: { host: text, code: '1' } });
          const [{ subject, text, html }, plain] = [one(name), one('azazaz')];
          const about = JSON.stringify([mail, language, name]);
          expect(tagsOf(html), about).toEqual(tagsOf(plain.html));
          expect(text.split(name).length, about).toBe(plain.text.split('azazaz').length);
          const body = (page: string) => page.slice(page.indexOf('<body>'));
          expect(unescaped(body(html)).split(name).length, about).toBe(
            body(plain.html).split('azazaz').length,
          );
          expect(subject, about).not.toMatch(/[\p{Cc}\u2028]/u);
        }
  });
});

describe('the email about a new password', () => {
  it.each(languages)('names the API keys that still work, and mentions none without any (%s)', (language) => {
    const textWith = (params: object) =>
      render(
        { kind: 'password_changed', params: { changedAt: '2026-12-05T06:26:00.000Z', ...params } },
        {
          ...{ username: 'anna', language, token },
        },
      ).text;
    expect(textWith({ apiKeys: 'Backup, Bot' })).toContain(': Backup, Bot.');
    expect(textWith({})).not.toContain('API');
  });
});

describe('an email', () => {
  const { subject, paragraphs, link } = mailTexts.password_changed.en;
  const filled = {
    username: 'A&B',
    host: 'panel.example.org',
    changedAt: 'December 5, 2026 at 7:26 AM GMT+1',
  };
  const said = paragraphs.map((paragraph) => fill(paragraph, filled));
  const reader = { username: 'A&B', language: 'en', token } as const;

  it('is a greeting, its paragraphs, its link and where it comes from', () => {
    const { text, html } = render(mailSamples.password_changed, reader);
    const href = `https://panel.example.org/not-me#${token}`;
    const footer = fill(frame.en.automaticFrom, filled);
    expect(text).toBe(['Hi A&B,', ...said, `${link?.label}:\n${href}`, `-- \n${footer}\n`].join('\n\n'));
    expect(html.slice(html.indexOf('<main>'), html.indexOf('</main>')).trim().split('\n')).toEqual([
      ...['<main>', '<p>Hi A&amp;B,</p>', ...said.map((paragraph) => `<p>${paragraph}</p>`)],
      `<p><a href="${href}">${link?.label}</a></p>`,
      `<p class="footer">${footer}</p>`,
    ]);
    expect(html).toContain(`<title>${subject}</title>`);
  });

  it('names neither a reader nor a panel that is not known, and gives the rest of its link', () => {
    const { withoutAddress, automatic, anybody } = frame.en;
    const [rest, footer] = [[withoutAddress, `/not-me#${token}`], `-- \n${automatic}\n`];
    const { text } = homeless(mailSamples.password_changed, { ...reader, username: null });
    expect(text).toBe([anybody, ...said, ...rest, footer].join('\n\n'));
    const test = homeless(mailSamples.test, { ...reader, token: null });
    expect(test.text).toBe(['Hi A&B,', ...mailTexts.test.en.paragraphs, footer].join('\n\n'));
    expect(test.html).not.toContain('<a');
  });
});

it('says times as people of the language do, with their zone', () => {
  const said = languages.map(
    (language) => render(mailSamples.password_changed, { username: 'anna', language, token }).text,
  );
  expect(said[0]).toContain('am 5. Dezember 2026 um 07:26 MEZ');
  expect(said[1]).toContain('on December 5, 2026 at 7:26 AM GMT+1');
});
