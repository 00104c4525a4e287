import { edgeErrors } from '@talpa/contracts';
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

it('says when to come again', () => {
  const after = (code: 'too_many_requests' | 'no_connector') => {
    const { fields } = errorPage(code, code === 'no_connector' ? { host: 'a' } : params, wish);
    return fields[fields.indexOf('retry-after') + 1];
  };
  expect([after('too_many_requests'), after('no_connector')]).toEqual(['7', '5']);
});
