import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Entry } from './entry.ts';
import * as fields from './fields.ts';
import { issuesOf, issueText } from './issues.ts';
import { routes } from './routes.ts';
import { fieldsIn } from './schema-fields.ts';

/** The German text of the first thing wrong with a value, or the parsed value. */
function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = issuesOf(result.error);
  if (!issue) throw new Error('an error without an issue');
  return `! ${issueText(issue.key, 'de', issue.params)}`;
}

describe('the port', () => {
  it.each([
    ['40120', 40_120],
    [1, 1],
    [65_535, 65_535],
  ])('accepts %j', (value, parsed) => expect(check(fields.adminPort, value)).toBe(parsed));
  it.each([0, 65_536, 1.5, '1e3', '0x50', 'abc', '', null, true])(
    'refuses %j with the specified text',
    (value) => {
      expect(check(fields.adminPort, value)).toBe('! Port muss zwischen 1 und 65535 liegen');
    },
  );
});

it.each([
  [-1, 'Proxy-Limit muss mindestens 0 sein'],
  ['10001', 'Proxy-Limit darf höchstens 10.000 sein'],
])('the proxy limit %j is refused with the bound', (value, text) =>
  expect(check(fields.proxyLimit, value)).toBe(`! ${text}`),
);

/** Every bounded number of an input, once, with a place where it is. */
const numbers = new Map(
  Object.entries<Entry>(routes).flatMap(([name, { input }]) =>
    fieldsIn(input).flatMap(({ path, schema }) =>
      schema instanceof z.ZodNumber && (schema.maxValue ?? Number.POSITIVE_INFINITY) < Number.MAX_SAFE_INTEGER
        ? [[schema, `${name}: ${path}`] as const]
        : [],
    ),
  ),
);
it.each([...numbers].map(([schema, place]) => ({ schema, place })))(
  'a number beyond its bound is refused with the bound: $place',
  ({ schema }) => {
    const { maxValue } = schema as z.ZodNumber;
    const text = String(check(schema, Number(maxValue) + 1));
    expect(text.replaceAll('.', '')).toContain(String(maxValue));
  },
);

describe('the server IP', () => {
  it.each(['127.0.0.1', '::1', '2001:db8::1', 'example.net', 'localhost'])('accepts %j', (value) =>
    expect(check(fields.serverIP, value)).toBe(value),
  );
  it.each(['http://x', '1.2.3.4:80', 'x/y', '999.1.1.1', '1.2.3', 'a b', '-x'])('refuses %j', (value) =>
    expect(check(fields.serverIP, value)).toMatch(/^! Geben Sie eine IP-Adresse/),
  );
  it('is required with the specified text', () => {
    expect(check(fields.serverIP, '')).toBe('! Server-IP ist erforderlich');
    expect(check(fields.serverIP, undefined)).toBe('! Server-IP ist erforderlich');
  });
});

describe('the name in a panel’s certificate', () => {
  it.each(['panel.example.com', 'localhost', 'a-b.c'])('may be %j', (value) =>
    expect(check(fields.originServerName, value)).toBe(value),
  );
  it.each(['', '  ', null])('may be left out: %j', (value) =>
    expect(check(fields.originServerName, value)).toBeNull(),
  );
  it.each([
    ...['127.0.0.1', '::1', 'panel.example.com:443', 'https://x', 'x/y', 'a b', '-x', 'x.', 'ä.example'],
    ...['x\r\nEvil: y', 'x'.repeat(254), '.x'.repeat(20_000)],
  ])('is not %j', (value) =>
    expect(check(fields.originServerName, value)).toMatch(/^! Geben Sie einen Hostnamen ohne Port ein/),
  );
});

describe('the Host header', () => {
  it.each([
    ...['panel.example.com', 'panel.example.com:8443', 'localhost:1', '127.0.0.1', '127.0.0.1:65535'],
    ...['[::1]', '[2001:db8::1]:8080'],
  ])('may be %j', (value) => expect(check(fields.httpHostHeader, value)).toBe(value));
  it('may be left out', () => expect(check(fields.httpHostHeader, ' ')).toBeNull());
  it.each([
    ...[
      'https://x',
      'x/y',
      'x:',
      'x:0',
      'x:65536',
      'x:y',
      ':80',
      '::1',
      '[::1',
      '[x]',
      '999.1.1.1',
      '[::1]x',
    ],
    ...['a b', 'x\r\nEvil: y', 'x\0', 'x'.repeat(261), '.x'.repeat(20_000)],
  ])('is not %j', (value) =>
    expect(check(fields.httpHostHeader, value)).toMatch(/^! Geben Sie einen Hostnamen oder eine IP-Adresse/),
  );
});

describe('names', () => {
  it('are trimmed and composed', () => expect(check(fields.username, '  Ju\u0308rgen ')).toBe('Jürgen'));
  it('are required, long enough and free of control characters', () => {
    for (const unseen of ['   ', '\u200b', '\u3164 \ufe0f'])
      expect(check(fields.serverName, unseen)).toBe('! Server-Name ist erforderlich');
    expect(check(fields.username, 'ab')).toBe('! Benutzername muss mindestens 3 Zeichen haben');
    for (const text of ['a\u0007b', 'a\u202eb', 'a\ud800b'])
      expect(check(fields.serverName, text)).toBe('! Steuerzeichen sind hier nicht erlaubt');
    expect(check(fields.serverName, 'x'.repeat(101))).toBe('! Höchstens 100 Zeichen');
  });
  it('of users have no characters that cannot be seen, and so look like no other', () => {
    for (const name of ['admin\ufe0f', 'ad\u034fmin', 'a\u3164\u3164b', 'admin\u200d'])
      expect(check(fields.username, name)).toMatch(/^! Nur Buchstaben, Ziffern/);
    for (const name of ['ÖZGÜR', 'हिन्दी', 'かがみ']) expect(check(fields.username, name)).toBe(name);
  });
  it('of servers may be emoji and right-to-left text', () => {
    expect(check(fields.serverName, 'Server 👨‍👩‍👧 مرحبا')).toBe('Server 👨‍👩‍👧 مرحبا');
  });
});

describe('an id', () => {
  it.each(['1e3', 'abc', '', -1, 0, 1.5, '99999999999999999999'])('is not %j', (value) => {
    expect(check(fields.id, value)).toBe('! Dieser Wert ist ungültig');
  });
});

describe('a moment', () => {
  it('has a year the database knows', () => {
    expect(check(fields.moment, '0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00Z');
    expect(check(fields.moment, '0000-01-01T00:00:00Z')).toBe('! Dieser Wert ist ungültig');
  });
});

describe('optional values', () => {
  it('an empty custom subdomain is none', () => {
    for (const nothing of ['', '  ', null, undefined]) expect(check(fields.customUrl, nothing)).toBeNull();
  });
  it('the plan none is stored as null, unknown plans are refused', () => {
    expect(check(fields.tierOrNone, 'none')).toBeNull();
    expect(check(fields.tierOrNone, 'gold')).toBe('! Dieser Wert ist ungültig');
  });
  it('an email may be empty but not nonsense', () => {
    expect(check(fields.email, '')).toBe('');
    expect(check(fields.email, 'nonsense')).toBe('! Geben Sie eine gültige E-Mail-Adresse ein');
  });
});
