import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type MailServer, startMailServer } from '@talpa/test-kit/mail-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serverOf } from './server.ts';
import { createSmtp, type Smtp } from './smtp.ts';

const patience = { connect: 2_000, greeting: 2_000, silence: 300, total: 5_000 };
const settings = { MAIL_FROM: 'Talpa <talpa@example.org>', MAIL_REPLY_TO: 'help@example.org' };
const smtpTo = (url: string, limits = patience) => createSmtp({ SMTP_URL: url, ...settings }, limits) as Smtp;
const one = (id: string, to = 'anna@example.com') => ({
  ...{ id, to, subject: `Größe ${id}`, text: 'Text', html: '<p>Text</p>' },
});

let server: MailServer;
let smtp: Smtp;
beforeAll(async () => {
  server = await startMailServer();
  smtp = smtpTo(server.url);
});
beforeEach(() => {
  server.onEnd(() => 'accept');
  server.onRecipient(() => null);
});
afterAll(async () => {
  smtp.close();
  await server.stop();
});
const arrivals = (id: string) =>
  server.received.filter(({ messageId }) => messageId === `<${id}@example.org>`);

describe('an email', () => {
  it('arrives whole, as text and HTML, with a Message-ID made from its cause', async () => {
    expect(await smtp.send(one('whole'))).toMatchObject({ result: 'sent', isUncertain: false });
    expect(arrivals('whole')).toMatchObject([
      {
        from: { name: 'Talpa', address: 'talpa@example.org' },
        to: [{ address: 'anna@example.com' }],
        replyTo: [{ address: 'help@example.org' }],
        subject: 'Größe whole',
        text: 'Text\n',
        html: '<p>Text</p>\n',
        recipient: 'anna@example.com',
        // Nothing answers it by itself.
        headers: expect.arrayContaining([
          expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
        ]),
      },
    ]);
  });

  it('goes to one address and has one subject, whatever is in them', async () => {
    const list = 'x@example.com, all@example.com';
    for (const to of [`${list}\r\nBcc: all@example.com`, list])
      await smtp.send({ ...one('injected', to), subject: 'Hallo\r\nBcc: all@example.com' });
    const sentTo = arrivals('injected').flatMap(({ recipient, bcc }) => [recipient.split('\n'), bcc]);
    expect(JSON.stringify(sentTo)).not.toContain('"all@example.com"');
    await smtp.send({ ...one('plain'), subject: 'Hallo\r\nBcc: all@example.com' });
    expect(arrivals('plain').map(({ bcc }) => bcc)).toEqual([undefined]);
  });

  it.each([550, 552])('is refused for good when the server says %s to it', async (code) => {
    server.onRecipient((address) => (address === 'gone@example.com' ? code : null));
    expect(await smtp.send(one(`rcpt-${code}`, 'gone@example.com'))).toMatchObject({
      ...{ result: 'refused', isUncertain: false },
      answer: expect.stringContaining(String(code)),
    });
    server.onEnd(() => code);
    expect(await smtp.send(one(`end-${code}`))).toMatchObject({ result: 'refused', isUncertain: false });
  });

  it('fails for now when the server says 451', async () => {
    server.onEnd(() => 451);
    expect(await smtp.send(one('later'))).toMatchObject({ result: 'failed', isUncertain: false });
    expect(await smtp.send(one('next'))).toMatchObject({ result: 'failed' });
  });

  it('is not given to the server twice when the answer is lost, and counts as uncertain', async () => {
    server.onEnd(() => 'drop');
    expect(await smtp.send(one('dropped'))).toMatchObject({ result: 'failed', isUncertain: true });
    server.onEnd(() => 'hang');
    expect(await smtp.send(one('silent'))).toMatchObject({ result: 'failed', isUncertain: true });
    expect([arrivals('dropped').length, arrivals('silent').length]).toEqual([1, 1]);
  });

  it('goes out over a new connection when the server has closed the pooled one', async () => {
    expect(await smtp.send(one('before'))).toMatchObject({ result: 'sent' });
    server.hangUp();
    expect(await smtp.send(one('after'))).toMatchObject({ result: 'sent' });
    expect(arrivals('after')).toHaveLength(1);
  });
});

async function portOf(other: Server): Promise<number> {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  return (other.address() as AddressInfo).port;
}

describe('a server', () => {
  it('that accepts connections and says nothing costs its time limit and nothing else', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    const port = await portOf(silent);
    const mute = smtpTo(`smtp://127.0.0.1:${port}`, { ...patience, greeting: 200 });
    expect(await mute.send(one('mute'))).toMatchObject({ result: 'failed', isUncertain: false });
    mute.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('that lets an answer drip is given up after the time for all steps', async () => {
    const drip = createServer((socket) => {
      let timer: NodeJS.Timeout | undefined;
      socket.on('error', () => {});
      socket.write('220 hello\r\n');
      socket.once('data', () => {
        timer = setInterval(() => socket.write('250-wait\r\n'), 50);
      });
      socket.once('close', () => clearInterval(timer));
    });
    const port = await portOf(drip);
    const slow = smtpTo(`smtp://127.0.0.1:${port}`, { ...patience, total: 400 });
    expect(await slow.send(one('drip'))).toMatchObject({
      ...{ result: 'failed', isUncertain: false },
      answer: expect.stringContaining('aborted'),
    });
    slow.close();
    drip.close();
  });

  it.each([
    ['its greeting', '554 no\0 service\u0085here', () => '250 ok', 'failed'],
    [
      'refusing an address',
      '220 hello',
      (line: string) => (line.startsWith('RCPT') ? '550 5.1.1 no\0\x1bsuch' : '250 ok'),
      'refused',
    ],
    [
      'accepting an email',
      '220 hello',
      (line: string) => (line === 'DATA' ? '354 go on' : '250 ok\0\x07'),
      'sent',
    ],
  ] as const)(
    'that says control characters in %s leaves none in what we store: Postgres holds no NUL',
    async (_when, greeting, reply, result) => {
      const raw = createServer((socket) => {
        let isText = false;
        socket.on('error', () => {});
        socket.write(`${greeting}\r\n`);
        createInterface(socket).on('line', (line) => {
          if (isText && line !== '.') return;
          socket.write(`${reply(line)}\r\n`);
          isText = line === 'DATA';
        });
      });
      const port = await portOf(raw);
      const loud = smtpTo(`smtp://127.0.0.1:${port}`);
      const delivery = await loud.send(one(`loud-${result}`));
      expect(delivery).toMatchObject({ result, isUncertain: false });
      expect(delivery.answer).not.toMatch(/\p{Cc}/u);
      loud.close();
      raw.close();
    },
  );

  it('that refuses our password refuses no email for good, and nobody is shown the password', async () => {
    const strict = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('Invalid username or password')),
    });
    const wrong = smtpTo(strict.url.replace('//', '//talpa:geheim-genug@'));
    const delivery = await wrong.send(one('unauthorized'));
    expect(delivery).toMatchObject({ result: 'failed', isUncertain: false });
    expect(delivery.answer).toMatch(/535/);
    expect(delivery.answer).not.toContain('geheim');
    wrong.close();
    await strict.stop();
  });

  it('that refuses our sender is known to, until it sends an email; a refused recipient is no fault of it', async () => {
    let refuses = true;
    const picky = await startMailServer({
      onMailFrom: (_address, _session, done) =>
        done(refuses ? Object.assign(new Error('not yours'), { responseCode: 553 }) : null),
    });
    picky.onRecipient(() => 550);
    const sender = smtpTo(picky.url);
    expect(sender.refusesSender()).toBe(false);
    expect(await sender.send(one('refused-sender'))).toMatchObject({ result: 'refused' });
    expect(sender.refusesSender()).toBe(true);
    refuses = false;
    expect(await sender.send(one('refused-recipient'))).toMatchObject({ result: 'refused' });
    expect(sender.refusesSender()).toBe(false);
    sender.close();
    await picky.stop();
  });

  it('elsewhere gets a password only by TLS', () => {
    expect(serverOf('smtp://a%40b:p%2Fw@mail.example.org')).toEqual({
      ...{ host: 'mail.example.org', port: 587, secure: false, requireTLS: true },
      auth: { user: 'a@b', pass: 'p/w' },
    });
    expect(serverOf('smtp://mail.example.org:25')).toMatchObject({ port: 25, requireTLS: false });
    expect(serverOf('smtps://a:b@mail.example.org')).toMatchObject({ port: 465, secure: true });
    expect(serverOf('smtp://a:b@[::1]')).toMatchObject({ host: '::1', requireTLS: false });
  });
});

it('without a server there is none, and a server without a sender is refused', () => {
  expect(createSmtp({ ...settings, SMTP_URL: undefined })).toBe(null);
  const senderless = { ...settings, MAIL_FROM: undefined, SMTP_URL: 'smtp://localhost' };
  expect(() => createSmtp(senderless)).toThrow('MAIL_FROM');
});
