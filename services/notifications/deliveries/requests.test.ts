import { notificationSamples } from '@talpa/test-kit/notifications';
import { expect, it } from 'vitest';
import { type Message, sayAll } from './message.ts';
import { requestOf } from './requests.ts';

const settings = { PUBLIC_URL: 'https://panel.example.org', TIME_ZONE: 'Europe/Berlin' };
const suspended = (proxy: string) =>
  ({ kind: 'proxy_suspended', params: { proxyId: 1, proxy, reason: 'Spam' } }) as const;
const message = (notifications: Parameters<typeof sayAll>[0], language: 'de' | 'en' = 'en'): Message => ({
  ...{ id: '5f3c2d1e-0000-4000-8000-000000000000', createdAt: new Date('2026-11-24T04:00:00.000Z') },
  said: sayAll(notifications, { userId: 1, language, name: 'Home' }, settings),
});
const targets = {
  discord: { url: 'https://discord.com/api/webhooks/1/abc' },
  telegram: { token: '1:abcdefghijklmnopqrstu', chat: '-100123' },
  ntfy: { url: 'https://ntfy.sh', topic: 'talpa', token: 'tk_1' },
} as const;
const bodyOf = (kind: keyof typeof targets, one: Message) => {
  const { body, ...request } = requestOf({ kind, target: targets[kind], formerSecretUntil: null }, one);
  return { ...request, body: JSON.parse(body) };
};
const long = message(
  Array.from({ length: 200 }, (_, number) => suspended(`Server ${number} ${'ü'.repeat(80)}`)),
);
const oneLong = message([
  {
    ...notificationSamples.announcement,
    params: {
      ...notificationSamples.announcement.params,
      text: { de: '\\🎮'.repeat(3_000), en: '\\🎮'.repeat(3_000) },
    },
  },
]);

it('mentions nobody in Discord, and makes no name into formatting or a link', () => {
  const { url, body } = bodyOf(
    'discord',
    message([suspended('@everyone <@1> **fett** [x](https://evil.example)')]),
  );
  expect(url).toBe(targets.discord.url);
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(body.content).toBe(
    [
      '**Proxy “\\@everyone \\<\\@1\\> \\*\\*fett\\*\\* \\[x\\]\\(https:\\/\\/evil.example\\)” suspended**',
      'An administrator suspended the proxy\\. It can’t be reached anymore\\. Reason: Spam'.replace(
        /\\\./g,
        '.',
      ),
      '<https://panel.example.org/tunnel-configuration/1>',
    ].join('\n'),
  );
});

it.each([...'\\*_~`|>#-+<[]()@'])('makes no formatting of a name with %s in Discord', (character) => {
  const { body } = bodyOf('discord', message([suspended(`a${character}b`)]));
  expect(body.content).toContain(`“a\\${character}b”`);
});

it('makes no list and no link of a name in Discord', () => {
  const { body } = bodyOf('discord', message([suspended('1. https://evil.example')]));
  expect(body.content).toContain('“1\\. https:\\/\\/evil.example”');
});

it('mentions nobody in Telegram, and formats nothing', () => {
  const { url, body } = bodyOf('telegram', message([suspended('@admin *fett*')]));
  expect(url).toBe('https://api.telegram.org/bot1:abcdefghijklmnopqrstu/sendMessage');
  expect(body).toEqual({
    chat_id: '-100123',
    text: expect.stringContaining('Proxy “@\u2060admin *fett*” suspended'),
    link_preview_options: { is_disabled: true },
  });
});

it('sends ntfy a title, a text, a link, and how urgent it is, in any language', () => {
  const { url, headers, body } = bodyOf('ntfy', message([suspended('Küstenwache')], 'de'));
  expect([url, headers.authorization]).toEqual(['https://ntfy.sh', 'Bearer tk_1']);
  expect(body).toMatchObject({
    ...{ topic: 'talpa', title: 'Proxy „Küstenwache“ gesperrt', priority: 5 },
    ...{
      message: expect.stringContaining('Grund: Spam'),
      click: 'https://panel.example.org/tunnel-configuration/1',
    },
  });
});

it.each([long, oneLong])('is never longer than its receiver takes, and of whole characters', (one) => {
  const discord = bodyOf('discord', one).body.content as string;
  const telegram = bodyOf('telegram', one).body.text as string;
  const ntfy = bodyOf('ntfy', one).body.message as string;
  expect(discord.length).toBeLessThanOrEqual(2_000);
  expect(telegram.length).toBeLessThanOrEqual(4_096);
  expect(Buffer.byteLength(ntfy)).toBeLessThanOrEqual(4_096);
  for (const text of [discord, telegram, ntfy]) {
    expect(text.isWellFormed()).toBe(true);
    expect(text).toMatch(/[^\\]…$/);
    expect(text.length).toBeGreaterThan(1_000);
  }
});

it('says that it is a test', () => {
  expect(bodyOf('telegram', message([], 'de')).body.text).toContain('Test des Kanals „Home“');
  expect(bodyOf('discord', message([])).body.content).toContain('Test of the channel “Home”');
});
