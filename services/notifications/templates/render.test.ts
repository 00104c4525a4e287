import { fill, languages, linkOf, type Mail, mailKindNames } from '@talpa/contracts';
import { mailSamples, askedValues as values } from '@talpa/test-kit/mails';
import { describe, expect, it } from 'vitest';
import { frame } from './frame-texts.ts';
import { createRender } from './render.ts';
import { mailTexts } from './texts.ts';

const render = createRender({ PUBLIC_URL: 'https://panel.example.org', TIME_ZONE: 'Europe/Berlin' });
const token = 'ein-geheimnis';
const hostile = '<img src=x onerror=alert(1)>"\'&{changedAt}\r\nBcc: x@example.org';
/** The same email about somebody, or something, of this name. */
const named = (mail: Mail, name: string): Mail =>
  JSON.parse(
    JSON.stringify(mail, (key, value) => {
      if (key === 'names') return value.map(() => name);
      return ['proxy', 'passkey', 'apiKey', 'provider', 'device', 'reason'].includes(key) ? name : value;
    }),
  );

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
      const reader = { username: 'anna', language, token, values };
      const { text, html } = render(mailSamples[kind], reader);
      const links = [...`${text}\n${html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(
        ([link]) => new URL(link).host,
      );
      expect(new Set(links).size).toBeLessThanOrEqual(1);
      for (const host of links) expect(host).toBe('panel.example.org');
      const homeless = createRender({ PUBLIC_URL: undefined, TIME_ZONE: 'Europe/Berlin' })(
        mailSamples[kind],
        reader,
      );
      expect(`${homeless.text}${homeless.html}`).not.toMatch(/https?:/);
      // What works once can still be opened.
      if (linkOf(kind))
        for (const said of [text, html, homeless.text, homeless.html]) expect(said).toContain(`#${token}`);
    });

    it('has no text of users in its subject where its reader may be a stranger to them', () => {
      if (!['proxy_invitation_link', 'access_code'].includes(kind)) return;
      const one = named(mailSamples[kind], hostile);
      const said = { username: null, language, token, values: { host: hostile, code: '123456' } };
      expect(render(one, said).subject).toBe(render(mailSamples[kind], { ...said, values }).subject);
    });

    it('shows a name as text, whatever is in it', () => {
      const { subject, html } = render(named(mailSamples[kind], hostile), {
        username: hostile,
        language,
        token,
        values,
      });
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
      expect(html).not.toContain('<img');
      expect(subject).not.toMatch(/[\r\n]/);
    });
  },
);

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
    const anywhere = createRender({ PUBLIC_URL: undefined, TIME_ZONE: 'Europe/Berlin' });
    const { withoutAddress, automatic, anybody } = frame.en;
    const [rest, footer] = [[withoutAddress, `/not-me#${token}`], `-- \n${automatic}\n`];
    const { text } = anywhere(mailSamples.password_changed, { ...reader, username: null });
    expect(text).toBe([anybody, ...said, ...rest, footer].join('\n\n'));
    const test = anywhere(mailSamples.test, { ...reader, token: null });
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
