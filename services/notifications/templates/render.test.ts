import { languages, linkOf, mailKindNames } from '@talpa/contracts';
import { mailSamples } from '@talpa/test-kit/mails';
import { describe, expect, it } from 'vitest';
import { createRender } from './render.ts';

const render = createRender({ PUBLIC_URL: 'https://panel.example.org', TIME_ZONE: 'Europe/Berlin' });
const token = 'ein-geheimnis';
const hostile = '<img src=x onerror=alert(1)>"\'&{changedAt}\r\nBcc: x@example.org';

describe.each(mailKindNames.flatMap((kind) => languages.map((language) => ({ kind, language }))))(
  'the email “$kind” in $language',
  ({ kind, language }) => {
    it('has no text left to fill, and is readable in the dark and without images', () => {
      const { subject, text, html } = render(mailSamples[kind], { username: 'Ünal', language, token });
      expect([subject, text, html.replace(/<style>.*<\/style>/s, '')].join('\n')).not.toMatch(
        /[{}]|undefined/,
      );
      expect(text).toContain('Ünal');
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).not.toMatch(/<img|<script|<link|style=|url\(/);
    });

    it('leads to PUBLIC_URL alone, and nowhere without it', () => {
      const reader = { username: 'anna', language, token };
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

    it('shows a name as text, whatever is in it', () => {
      const { subject, html } = render(mailSamples[kind], { username: hostile, language, token });
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
      expect(html).not.toContain('<img');
      expect(subject).not.toMatch(/[\r\n]/);
    });
  },
);

it('says times as people of the language do, with their zone', () => {
  const said = languages.map(
    (language) => render(mailSamples.password_changed, { username: 'anna', language, token }).text,
  );
  expect(said[0]).toContain('am 5. Dezember 2026 um 07:26 MEZ');
  expect(said[1]).toContain('on December 5, 2026 at 7:26 AM GMT+1');
});
