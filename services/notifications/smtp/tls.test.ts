import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { serverCertificates, testCertificate } from '@talpa/test-kit/certificate';
import { startMailServer } from '@talpa/test-kit/mail-server';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmtp, type Smtp } from './smtp.ts';

const here = '127.0.0.1';
/** This machine as well, but by none of the names under which we spare it TLS. */
const elsewhere = '127.0.0.2';
const patience = { connect: 1_000, greeting: 500, silence: 500, total: 5_000 };
const password = 'geheim-genug';
const { valid, expired } = serverCertificates;
const known = getCACertificates('default');
const trust = (certificates: readonly string[]) => setDefaultCACertificates([...known, ...certificates]);
beforeEach(() => trust([valid.cert, expired.cert, testCertificate.cert]));
afterAll(() => trust([]));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A mail server that wants a password, and what it received: the email's sender or the password, and whether by TLS. */
async function startServer(options: SMTPServerOptions, host = elsewhere) {
  const observed: { readonly what: string; readonly byTls: boolean }[] = [];
  const server = await startMailServer(
    {
      ...{ authOptional: true, allowInsecureAuth: true, hideSTARTTLS: false, disabledCommands: [] },
      onAuth: (auth, session, done) => {
        observed.push({ what: String(auth.password), byTls: session.secure });
        done(null, { user: auth.username });
      },
      onMailFrom: ({ address }, session, done) => {
        observed.push({ what: address, byTls: session.secure });
        done();
      },
      ...options,
    },
    host,
  );
  ends.push(() => server.stop());
  return { server, observed };
}

/** A server that follows a script, and what it received in the clear. */
async function startScript(answer: (line: string) => string | null, greeting: string | null = '220 hello') {
  const observed: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (greeting !== null) socket.write(`${greeting}\r\n`);
    socket.on('data', (data) => {
      const line = data.toString('latin1');
      observed.push(line);
      const said = answer(line);
      if (said !== null) socket.write(`${said}\r\n`);
    });
  });
  server.listen(0, elsewhere);
  await once(server, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `smtp://${elsewhere}:${(server.address() as AddressInfo).port}`, observed };
}

function sendTo(url: string) {
  const smtp = createSmtp(
    { SMTP_URL: url, MAIL_FROM: 'talpa@example.org', MAIL_REPLY_TO: undefined },
    patience,
  ) as Smtp;
  ends.push(() => smtp.close());
  const text = 'Ein Link, der einmal gilt';
  return smtp.send({ id: 'tls', to: 'anna@example.com', subject: 'Hallo', text, html: text });
}
const withPassword = (url: string) => url.replace('//', `//talpa:${password}@`);
const because = (advice: string) => ({
  ...{ result: 'failed', isUncertain: false },
  advice: expect.stringContaining(advice),
});
const certificateAdvice = because('certificate is not valid');

describe.each(['STARTTLS', 'TLS from the first byte'])('a mail server elsewhere with %s', (way) => {
  const secure = way !== 'STARTTLS';

  it('gets password and email by TLS alone', async () => {
    const { server, observed } = await startServer({ secure, ...valid });
    expect(await sendTo(withPassword(server.url))).toMatchObject({ result: 'sent', advice: null });
    expect(observed).toEqual([
      { what: password, byTls: true },
      { what: 'talpa@example.org', byTls: true },
    ]);
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['has expired', expired, [expired.cert]],
    ['is for another name', testCertificate, [testCertificate.cert]],
    ['comes from nobody we know', valid, []],
  ])('gets nothing when its certificate %s, with or without a password', async (_why, own, trusted) => {
    trust(trusted);
    const { server, observed } = await startServer({ secure, ...own });
    expect(await sendTo(withPassword(server.url))).toMatchObject(certificateAdvice);
    expect(await sendTo(server.url)).toMatchObject(certificateAdvice);
    expect(observed).toEqual([]);
  });

  it.each(['drop', 'hang'] as const)(
    'that has read an email and then may %s leaves it uncertain',
    async (end) => {
      const { server } = await startServer({ secure, ...valid });
      server.onEnd(() => end);
      expect(await sendTo(withPassword(server.url))).toMatchObject({ result: 'failed', isUncertain: true });
      expect(server.received).toHaveLength(1);
    },
  );
});

describe('a password is not sent', () => {
  const capabilities = '250-hello\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS';
  const noTls = because('offers no TLS');

  it('when the server offers no TLS', async () => {
    const { server, observed } = await startServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    expect(await sendTo(withPassword(server.url))).toMatchObject(noTls);
    expect(observed).toEqual([]);
  });

  it('when the server offers TLS and then refuses it', async () => {
    const { url, observed } = await startScript((line) =>
      line.startsWith('EHLO') ? capabilities : '454 not now',
    );
    expect(await sendTo(withPassword(url))).toMatchObject(noTls);
    expect(observed.map((line) => line.slice(0, 4))).toEqual(['EHLO', 'STAR']);
  });

  it('when the server knows only the old greeting, which has no TLS', async () => {
    const { url, observed } = await startScript((line) =>
      line.startsWith('EHLO') ? '502 unknown' : '250 hello',
    );
    expect(await sendTo(withPassword(url))).toMatchObject({ result: 'failed', isUncertain: false });
    expect(observed.map((line) => line.slice(0, 4))).toEqual(['EHLO']);
  });

  it('when what comes before TLS says that all is well', async () => {
    const { url, observed } = await startScript((line) =>
      line.startsWith('STARTTLS')
        ? '220 go\r\n235 signed in\r\n250 taken\r\n354 go on\r\n250 taken'
        : capabilities,
    );
    expect(await sendTo(withPassword(url))).toMatchObject({ result: 'failed', isUncertain: false });
    expect(observed.join('')).not.toMatch(/AUTH|MAIL/);
  });

  it('while a handshake hangs, which costs its time limit and no more', async () => {
    const { url, observed } = await startScript((line) =>
      line.startsWith('EHLO') ? capabilities : line.startsWith('STARTTLS') ? '220 go' : null,
    );
    expect(await sendTo(withPassword(url))).toMatchObject({ result: 'failed', isUncertain: false });
    const mute = await startScript(() => null, null);
    expect(await sendTo(withPassword(mute.url.replace('smtp:', 'smtps:')))).toMatchObject(
      because('Check the host and the port'),
    );
    expect([...observed, ...mute.observed].join('')).not.toMatch(/AUTH|MAIL/);
  });
});

describe('what is wrong with SMTP_URL is said:', () => {
  it('smtps:// where no TLS is spoken', async () => {
    const { url } = await startScript(() => null);
    expect(await sendTo(url.replace('smtp:', 'smtps:'))).toMatchObject(because('Use smtp://'));
  });

  it('smtp:// where TLS is spoken', async () => {
    const { server } = await startServer({ secure: true, ...valid });
    const failure = because('Check the host and the port');
    expect(await sendTo(server.url.replace('smtps:', 'smtp:'))).toMatchObject(failure);
  });

  it('a port at which nobody listens, and a host that does not exist', async () => {
    expect(await sendTo(`smtp://${elsewhere}:1`)).toMatchObject(because('Check the host and the port'));
    expect(await sendTo('smtp://mail.invalid')).toMatchObject(because('Check the host in'));
  });

  it('a wrong password', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => done(new Error('no'));
    const { server } = await startServer({ ...valid, onAuth });
    expect(await sendTo(withPassword(server.url))).toMatchObject(because('Check the user and the password'));
  });
});

it('a mail server on this machine may have a certificate that nobody trusts', async () => {
  trust([]);
  for (const secure of [false, true]) {
    const { server, observed } = await startServer({ secure, ...expired }, here);
    expect(await sendTo(withPassword(server.url))).toMatchObject({ result: 'sent' });
    expect(observed.every(({ byTls }) => byTls)).toBe(true);
  }
});
