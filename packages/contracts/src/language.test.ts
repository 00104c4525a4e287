import { describe, expect, it } from 'vitest';
import { errors, errorText } from './errors.ts';
import { issueTexts } from './issues.ts';
import { preferredLanguage } from './language.ts';

describe('the language of a response', () => {
  it.each([
    [undefined, 'de'],
    ['fr', 'de'],
    ['en', 'en'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['de;q=0.5, en;q=0.9', 'en'],
    ['en;q=0', 'de'],
    ['nonsense;;q=x', 'de'],
    // Of a longer header the beginning counts: nobody's time goes into the rest.
    [`${'fr,'.repeat(1_000)}en`, 'de'],
    [`en,${'fr,'.repeat(1_000)}`, 'en'],
  ])('for Accept-Language %j is %s', (header, language) => expect(preferredLanguage(header)).toBe(language));
});

describe('texts of errors', () => {
  it('exist in both languages and name the same parameters', () => {
    const parameters = (text: string) => text.match(/\{\w+\}/g) ?? [];
    for (const text of [...Object.values(errors), ...Object.values(issueTexts)]) {
      expect(text.de).not.toBe(text.en);
      expect(parameters(text.en)).toEqual(parameters(text.de));
    }
  });
  it('carry their parameters', () => {
    expect(errorText('proxy_limit_reached', 'en', { limit: 3 })).toContain('allowed: 3');
  });
});
