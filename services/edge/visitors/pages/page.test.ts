import { edgeErrors } from '@talpa/contracts';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { expect, it } from 'vitest';
import { errorPage } from './page.ts';

const wish = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  language: undefined,
  requestId: 'abc-TLP',
};
const codes = Object.keys(edgeErrors) as (keyof typeof edgeErrors)[];
const params = { host: 'srv.example', address: '203.0.113.7', seconds: 7, maximum: 1_048_576 };

it.each(codes)('is German by default, English where asked for, complete and never stored: %s', (code) => {
  const german = errorPage(code, params, wish);
  const english = errorPage(code, params, { ...wish, language: 'en-GB,en;q=0.9' });
  expect(german.body.toString()).toContain('<html lang="de">');
  expect(german.body.toString()).toContain(edgeErrors[code].title.de);
  expect(english.body.toString()).toContain(edgeErrors[code].title.en);
  expect(`${german.body}${english.body}`).not.toMatch(
    /\{\w+\}(?!\s*<)|undefined|https?:\/\/(?!www\.w3\.org)/,
  );
  expect(german.status).toBe(edgeErrors[code].status);
  expect(german.fields.join('\n')).toMatch(/cache-control\nno-store/);
});

it('is JSON where JSON alone is asked for', () => {
  const page = errorPage('no_connector', params, { ...wish, accept: 'application/json', language: 'en' });
  expect(JSON.parse(page.body.toString())).toEqual({
    code: 'no_connector',
    message: expect.stringContaining('srv.example'),
    requestId: 'abc-TLP',
  });
  expect(page.fields).toContain('application/json; charset=utf-8');
});

it('shows a host that is markup as text', () => {
  const page = errorPage('unknown_host', { host: '<script>alert(1)</script>' }, wish);
  expect(page.body.toString()).not.toContain('<script>');
});

it.each([1, 2, 3, 4])('shows what an owner has written as text, whatever it is (seed %i)', (seed) => {
  const random = randomFrom(seed);
  const pieces = [
    '<',
    '>',
    '"',
    "'",
    '&',
    '&lt;',
    '&#60;',
    '</p>',
    '<script>',
    '<!--',
    ']]>',
    '<p class="words">',
  ];
  const more = [
    '{host}',
    '$&',
    '%3C',
    '\u2028',
    'مرحبا',
    '🎮',
    'onerror=alert(1)',
    '</style>',
    '<meta refresh>',
    ' ',
  ];
  const tagsOf = (page: string) => page.match(/<[^>]*>/g);
  const pageWith = (message: string) => errorPage('paused', { ...params, message }, wish).body.toString();
  for (let round = 0; round < 200; round += 1) {
    const message = Array.from({ length: 1 + random.below(12) }, () =>
      random.pick([...pieces, ...more]),
    ).join('');
    const page = pageWith(message);
    expect(tagsOf(page), message).toEqual(tagsOf(pageWith('x')));
    const [, shown = ''] = /<p class="words" dir="auto">([^<]*)<\/p>/.exec(page) ?? [];
    const names: Record<string, string> = {
      '&amp;': '&',
      '&lt;': '<',
      '&gt;': '>',
      '&quot;': '"',
      '&#39;': "'",
    };
    expect(shown.replace(/&[^;]*;/g, (name) => names[name] ?? 'unknown')).toBe(message);
    const json = errorPage('paused', { ...params, message }, { ...wish, accept: 'application/json' });
    expect(JSON.parse(json.body.toString()).ownerMessage).toBe(message);
  }
});

it('says when to come again', () => {
  const after = (code: 'too_many_requests' | 'no_connector' | 'paused') => {
    const { fields } = errorPage(code, code === 'too_many_requests' ? params : { host: 'a' }, wish);
    return fields[fields.indexOf('retry-after') + 1];
  };
  expect([after('too_many_requests'), after('no_connector'), after('paused')]).toEqual(['7', '5', '300']);
});
