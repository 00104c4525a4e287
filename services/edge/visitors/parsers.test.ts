import { preferredLanguage } from '@talpa/contracts';
import { agentFamilyOf } from '@talpa/service-kit/agent-family';
import { processorTime } from '@talpa/test-kit/processor-time';
import { expect, it } from 'vitest';
import { loggedPath } from '../requests/path.ts';
import { scopeCookiesToHost } from './cookies.ts';
import { readRequestFields } from './fields.ts';
import { readHost } from './host.ts';
import { isLongLived } from './limits.ts';
import { errorPage } from './pages/page.ts';
import type { ParsedRequest } from './parse-request.ts';
import { readWallCookie } from './wall/cookies.ts';
import { safePath } from './wall/paths.ts';
import { queryOf } from './wall/request.ts';

/** What reads a text that visitors or panels choose, before anybody has judged it. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  readHost,
  preferredLanguage,
  errorPage: (text) => errorPage('bad_request', {}, { accept: text, language: text, requestId: 'x' }),
  readWallCookie: (text) => readWallCookie(text, 'session', 'https'),
  'readRequestFields, a cookie': (text) => readRequestFields(['cookie', `talpa-access=1;${text}`]),
  'readRequestFields, Connection': (text) => readRequestFields(['connection', text]),
  'readRequestFields, a name': (text) => readRequestFields([text, '1']),
  isLongLived: (text) => isLongLived('GET', `/socket.io/?${text}`, text, false),
  loggedPath,
  agentFamilyOf,
  safePath: (text) => safePath(`/${text}`),
  queryOf: (text) => queryOf({ path: `/?${text}` } as ParsedRequest).get('path'),
  scopeCookiesToHost: (text) => scopeCookiesToHost(['set-cookie', `domain=${text}`], 'a.example'),
};
/** Characters that some parser divides at, skips or decodes, and one that is none of them. */
const characters = [
  'a',
  ' ',
  ',',
  ';',
  '=',
  '&',
  '/',
  '.',
  ':',
  '-',
  '%',
  '"',
  '[',
  'é',
  '\t',
  '=1;',
  'a.',
  '%2',
  'a=',
];
const length = 16_000;

it.each(Object.entries(parsers))(
  'a text as long as a head may be costs little, whatever is in it: %s',
  async (_name, parse) => {
    for (const one of characters)
      for (const other of characters) {
        const text = (one.repeat(length / 2) + other.repeat(length / 2)).slice(0, length);
        const mixed = (one + other).repeat(length).slice(0, length);
        const spend = () => processorTime(() => [parse(text), parse(mixed), parse(`${text}!`)]);
        // A slow machine and a collection of garbage count, too; what is not linear takes some 250 ms and more.
        let spent = await spend();
        for (let again = 0; again < 4 && spent >= 150; again += 1) spent = Math.min(spent, await spend());
        expect(spent, `${one} and ${other}`).toBeLessThan(150);
      }
  },
);
