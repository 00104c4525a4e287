import { randomUUID } from 'node:crypto';
import { type ErrorBody, issueTexts } from '@talpa/contracts';
import { Client, newUser } from '@talpa/test-kit/client';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { beforeAll, describe, expect, it } from 'vitest';

const system = useSharedTalpa();
let person: Client;
let admin: Client;
beforeAll(async () => {
  person = (await newUser(system.url, 'enterprise')).client;
  admin = await system.admin();
});

const valid = { serverName: 'S', serverIP: '127.0.0.1', adminPort: 40_120 };
const newName = () => `n${randomUUID().slice(0, 8)}`;

/** What is wrong with which field, as the response says it. */
async function issuesOf(client: Client, method: string, path: string, body: unknown, language: 'de' | 'en') {
  const response = await client.send(method, path, body, { 'accept-language': language });
  const { code, issues = [] } = response.body as ErrorBody;
  expect([response.status, code]).toEqual([400, 'invalid_input']);
  return Object.fromEntries(issues.map(({ path: field, message }) => [field.join('.'), message]));
}

/** All faulty fields of one request at once, with their texts in both languages. */
const cases: [string, () => Client, string, string, unknown, Record<string, [string, string]>][] = [
  [
    'a proxy with empty fields',
    () => person,
    'POST',
    '/api/tunnel-configs',
    { serverName: ' ', serverIP: '', adminPort: 0 },
    {
      serverName: ['Server-Name ist erforderlich', 'Server name is required'],
      serverIP: ['Server-IP ist erforderlich', 'Server IP is required'],
      adminPort: ['Port muss zwischen 1 und 65535 liegen', 'Port must be between 1 and 65535'],
    },
  ],
  [
    'a proxy whose panel has no such names, and no protocol of ours',
    () => person,
    'POST',
    '/api/tunnel-configs',
    { ...valid, originProtocol: 'ftp', originServerName: '192.0.2.1', httpHostHeader: 'https://a/b' },
    {
      originProtocol: ['Dieser Wert ist ungültig', 'This value is invalid'],
      originServerName: [issueTexts.originServerName.de, issueTexts.originServerName.en],
      httpHostHeader: [issueTexts.httpHostHeader.de, issueTexts.httpHostHeader.en],
    },
  ],
  [
    'a proxy that speaks http and is to check no certificate, with a name in it and HTTP/2',
    () => person,
    'POST',
    '/api/tunnel-configs',
    { ...valid, verifyCertificate: false, originServerName: 'panel.example.com', http2Origin: true },
    Object.fromEntries(
      ['verifyCertificate', 'originServerName', 'http2Origin'].map((field) => [
        field,
        ['Das geht nur mit HTTPS', 'This requires HTTPS'],
      ]),
    ),
  ],
  [
    'a proxy without fields',
    () => person,
    'POST',
    '/api/tunnel-configs',
    {},
    {
      serverName: ['Server-Name ist erforderlich', 'Server name is required'],
      serverIP: ['Server-IP ist erforderlich', 'Server IP is required'],
      adminPort: ['Port muss zwischen 1 und 65535 liegen', 'Port must be between 1 and 65535'],
    },
  ],
  [
    'a registration that is too short',
    () => new Client(system.url),
    'POST',
    '/api/register',
    { username: 'ab', password: '12345' },
    {
      username: [
        'Benutzername muss mindestens 3 Zeichen haben',
        'Username must be at least 3 characters long',
      ],
      password: ['Passwort muss mindestens 6 Zeichen haben', 'Password must be at least 6 characters long'],
    },
  ],
  [
    'a sign-in without anything',
    () => new Client(system.url),
    'POST',
    '/api/login',
    { username: '', password: '' },
    {
      username: ['Dieses Feld ist erforderlich', 'This field is required'],
      password: ['Dieses Feld ist erforderlich', 'This field is required'],
    },
  ],
  [
    'a user an administrator makes',
    () => admin,
    'POST',
    '/api/admin/users',
    { username: 'ab', password: '12345', isAdmin: 'yes', proxyLimit: '-1', subscriptionTier: 'gold' },
    {
      username: [
        'Benutzername muss mindestens 3 Zeichen haben',
        'Username must be at least 3 characters long',
      ],
      password: ['Passwort muss mindestens 6 Zeichen haben', 'Password must be at least 6 characters long'],
      isAdmin: ['Dieser Wert ist ungültig', 'This value is invalid'],
      proxyLimit: ['Proxy-Limit muss mindestens 0 sein', 'Proxy limit must be at least 0'],
      subscriptionTier: ['Dieser Wert ist ungültig', 'This value is invalid'],
    },
  ],
  [
    'a user an administrator changes, with a password too short',
    () => admin,
    'PUT',
    '/api/admin/users/999999',
    { username: 'ab', password: '123', proxyLimit: -1 },
    {
      username: [
        'Benutzername muss mindestens 3 Zeichen haben',
        'Username must be at least 3 characters long',
      ],
      password: ['Passwort muss mindestens 6 Zeichen haben', 'Password must be at least 6 characters long'],
      proxyLimit: ['Proxy-Limit muss mindestens 0 sein', 'Proxy limit must be at least 0'],
      subscriptionTier: ['Dieses Feld ist erforderlich', 'This field is required'],
    },
  ],
  [
    'preferences of another form',
    () => person,
    'POST',
    '/api/user/preferences',
    { email: 'nobody', notifications: { email: 'on' }, appearance: { theme: 'pink', accentColor: 'gold' } },
    {
      email: ['Geben Sie eine gültige E-Mail-Adresse ein', 'Enter a valid email address'],
      'notifications.email': ['Dieser Wert ist ungültig', 'This value is invalid'],
      'appearance.theme': ['Dieser Wert ist ungültig', 'This value is invalid'],
      'appearance.accentColor': ['Dieser Wert ist ungültig', 'This value is invalid'],
    },
  ],
];

describe('faulty fields', () => {
  it.each(cases)(
    'of %s are all named at once, in both languages',
    async (_case, client, method, path, body, texts) => {
      for (const [index, language] of (['de', 'en'] as const).entries())
        expect(await issuesOf(client(), method, path, body, language)).toEqual(
          Object.fromEntries(Object.entries(texts).map(([field, both]) => [field, both[index]])),
        );
    },
  );

  it.each([['0', 65_536, '65536', '1.5', 'eighty', '', null, true, [80], '8e1', 'Infinity']].flat())(
    'the port %j is refused, and nothing is made',
    async (adminPort) => {
      const { adminPort: text } = await issuesOf(
        person,
        'POST',
        '/api/tunnel-configs',
        { ...valid, adminPort },
        'de',
      );
      expect(text).toBe('Port muss zwischen 1 und 65535 liegen');
    },
  );

  it.each([
    'http://127.0.0.1',
    '127.0.0.1:80',
    '127.0.0.1/x',
    '256.1.1.1',
    '1.2.3',
    'a b',
    '-a.example',
    '[::1]',
    'x'.repeat(64),
  ])('the server IP %j is refused', async (serverIP) => {
    const { serverIP: text } = await issuesOf(
      person,
      'POST',
      '/api/tunnel-configs',
      { ...valid, serverIP },
      'de',
    );
    expect(text).toBe('Geben Sie eine IP-Adresse oder einen Hostnamen ohne http://, Port und Pfad ein');
  });

  it.each(['a\u0000b', 'a\nb', 'a\u202eb', 'a\ud800', 'a\u0085b'])(
    'control and half characters are refused in a server’s name: %j',
    async (serverName) => {
      const { serverName: text } = await issuesOf(
        person,
        'POST',
        '/api/tunnel-configs',
        { ...valid, serverName },
        'de',
      );
      expect(text).toBe('Steuerzeichen sind hier nicht erlaubt');
    },
  );

  it('that are too long say how long they may be', async () => {
    const body = { ...valid, serverName: 'ä'.repeat(101), customUrl: 'a'.repeat(254) };
    expect(await issuesOf(person, 'POST', '/api/tunnel-configs', body, 'de')).toEqual({
      serverName: 'Höchstens 100 Zeichen',
      customUrl: 'Höchstens 253 Zeichen',
    });
  });

  it('change nothing', async () => {
    expect(await person.call('GET /api/tunnel-configs', {})).toEqual([]);
  });
});

describe('what is entered', () => {
  it('as text where a number is meant becomes one, trimmed', async () => {
    const name = newName();
    const response = await person.send('POST', '/api/tunnel-configs', {
      serverName: `  ${name} `,
      serverIP: ' 127.0.0.1 ',
      adminPort: ' 8080 ',
      customUrl: '',
    });
    const { proxy } = response.body as { proxy: Record<string, unknown> };
    const me = await person.call('GET /api/user', {});
    expect(response.status).toBe(201);
    expect(proxy).toMatchObject({
      serverName: name,
      serverIP: '127.0.0.1',
      adminPort: 8_080,
      customUrl: null,
      userId: me.id,
      status: 'inactive',
    });
  });

  it.each([
    ['POST', '/api/user/api-keys', { name: 'a', scopes: ['proxies:read'], days: 1, proxyID: [3] }, 'proxyID'],
    ['POST', '/api/tunnel-configs', { ...valid, acces: 'protected' }, 'acces'],
    ['GET', '/api/tunnel-configs?stat=active', undefined, 'stat'],
    ['DELETE', '/api/user/sessions?id=1', undefined, 'id'],
    ['POST', '/api/logout?all=1', {}, 'all'],
  ])(
    'under a name that the call does not know is refused by its name: %s %s',
    async (method, path, body, name) => {
      const { status, body: response } = await person.send(method, path, body);
      expect([status, response]).toMatchObject([
        400,
        {
          code: 'invalid_input',
          issues: [{ path: [name], message: issueTexts.unknownField.de }],
        },
      ]);
    },
  );

  it('as limit of a user is coerced too, and a blank password keeps the old one', async () => {
    const username = newName();
    const made = await admin.send('POST', '/api/admin/users', {
      username,
      password: 'geheim-123',
      proxyLimit: '7',
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      { proxyLimit: 7, subscriptionTier: 'free', isAdmin: false },
    ]);
    const { id } = made.body as { id: number };
    const changed = { username, password: '', proxyLimit: '9', subscriptionTier: 'none' };
    const response = await admin.send('PUT', `/api/admin/users/${id}`, changed);
    expect([response.status, response.body]).toMatchObject([200, { proxyLimit: 9, subscriptionTier: null }]);
    await new Client(system.url).call('POST /api/login', { username, password: 'geheim-123' });
  });

  it.each([
    ['Müllers Größter Süßer Server', 'muellers-groesster-suesser-server'],
    ['  Çà et là  ', 'ca-et-la'],
    ['🎮 Zock 🎮 Welt 🎮', 'zock-welt'],
    ['UPPER_case.and-More', 'upper-case-and-more'],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('as server’s name %j stays as it is and gives the subdomain %s', async (serverName, label) => {
    const { proxy } = await person.call('POST /api/tunnel-configs', { ...valid, serverName });
    expect([proxy.serverName, proxy.cfDomain]).toEqual([serverName.trim(), `${label}.tunnel.localhost`]);
  });

  it.each(['مرحبا', '🎮🎮', '日本', '---'])(
    'as server’s name %j asks for a custom subdomain, and takes it',
    async (serverName) => {
      const { customUrl } = await issuesOf(
        person,
        'POST',
        '/api/tunnel-configs',
        { ...valid, serverName },
        'de',
      );
      expect(customUrl).toBe(
        'Aus diesem Namen lässt sich keine Subdomain bilden. Bitte geben Sie eine eigene Subdomain ein.',
      );
      const label = newName();
      const { proxy } = await person.call('POST /api/tunnel-configs', {
        ...valid,
        serverName,
        customUrl: label,
      });
      expect([proxy.serverName, proxy.cfDomain]).toEqual([serverName, `${label}.tunnel.localhost`]);
    },
  );

  it('as custom subdomain may be a pasted host of ours, and no other', async () => {
    const label = newName();
    const pasted = { ...valid, customUrl: ` ${label.toUpperCase()}.tunnel.localhost ` };
    const { proxy } = await person.call('POST /api/tunnel-configs', pasted);
    expect(proxy.cfDomain).toBe(`${label}.tunnel.localhost`);
    for (const customUrl of ['a.example.org', 'http://a', 'a/b', 'a:80'])
      expect(await issuesOf(person, 'POST', '/api/tunnel-configs', { ...valid, customUrl }, 'de')).toEqual({
        customUrl: 'Geben Sie eine einzelne Subdomain ohne Punkt, http:// und Pfad ein',
      });
  });

  it.each(['www', 'API', 'admin', 'mail', 'localhost'])(
    'as subdomain %s is reserved, and the answer says so',
    async (customUrl) => {
      const { status, error } = await person.fail('POST /api/tunnel-configs', { ...valid, customUrl });
      const label = customUrl.toLowerCase();
      expect([status, error.message]).toEqual([
        409,
        `Die Subdomain „${label}“ ist reserviert. Wählen Sie eine andere.`,
      ]);
    },
  );

  it('as subdomain somebody else has is taken, for every user and however it is written', async () => {
    const label = newName();
    await person.call('POST /api/tunnel-configs', { ...valid, customUrl: label });
    const { client: other } = await newUser(system.url, 'free');
    for (const client of [other, person]) {
      const { status, error } = await client.fail('POST /api/tunnel-configs', {
        ...valid,
        serverName: label.toUpperCase(),
      });
      expect([status, error.message]).toEqual([
        409,
        `Die Subdomain „${label}“ ist bereits vergeben. Wählen Sie eine andere.`,
      ]);
    }
  });

  it('as username may hold letters of any script, and is compared without regard to case', async () => {
    const tail = randomUUID().slice(0, 6);
    const client = new Client(system.url);
    const user = await client.call('POST /api/register', {
      username: ` Jörg_Ωμέγα${tail} `,
      password: 'geheim-123',
    });
    expect(user.username).toBe(`Jörg_Ωμέγα${tail}`);
    await client.call('POST /api/login', { username: `JÖRG_ΩΜΈΓΑ${tail}`, password: 'geheim-123' });
    const { error } = await client.fail('POST /api/register', {
      // The same name with its marks apart.
      username: `jörg_ωμέγα${tail}`.normalize('NFD'),
      password: 'geheim-123',
    });
    expect(error.code).toBe('username_taken');
  });
});
