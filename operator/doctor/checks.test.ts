import { once } from 'node:events';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { serverCertificates } from '@talpa/test-kit/certificate';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { freePort } from '@talpa/test-kit/ports';
import { expect, it, onTestFinished } from 'vitest';
import { checkMail } from './instance.ts';
import { checkClock, checkDisk } from './machine.ts';
import { checkNetwork } from './network.ts';
import { checkSettings } from './settings.ts';

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
/** What a check says, as `state: text`. */
const said = (found: readonly { state: string; text: string }[]) =>
  found.map(({ state, text }) => `${state}: ${text}`).join('\n');

it('of settings: a name that is nearly one, a value that does not fit, and what a public installation lacks', () => {
  const found = said(checkSettings({ TUNEL_DOMAIN: 'a.example', PORT: 'abc' }));
  expect(found).toMatch(/^warning: TUNEL_DOMAIN .* TUNNEL_DOMAIN\?$/m);
  expect(found).toMatch(/^problem: .*PORT/m);
  expect(found).toMatch(/^warning: PUBLIC_URL/m);
  expect(said(checkSettings({ PUBLIC_URL: 'https://panel.example.com' }))).toMatch(/^ok: [^\n]*$/);
});

it.each([
  ['expired', /^problem: Browsers refuse .*: CERT_HAS_EXPIRED/m],
  ['valid', /^problem: Browsers refuse .*: DEPTH_ZERO_SELF_SIGNED_CERT/m],
] as const)(
  'of the network: a certificate that browsers refuse, here one that is %s',
  async (which, expected) => {
    const port = await listen(https.createServer(serverCertificates[which], (_, response) => response.end()));
    const found = await checkNetwork({ PUBLIC_URL: `https://localhost:${port}` });
    expect(said(found)).toMatch(expected);
  },
);

it('of the network: what does not answer, and what does', async () => {
  const panel = await listen(createServer((_, response) => response.end('ok')));
  const [edge, closed] = [await listen(createServer()), await freePort()];
  const found = said(
    await checkNetwork({ PUBLIC_URL: `http://127.0.0.1:${panel}`, EDGE_ADDRESS: `127.0.0.1:${edge}` }),
  );
  expect(found).toMatch(/^ok: http:\/\/127\.0\.0\.1:\d+ answers/m);
  expect(found).toMatch(/^ok: Connectors reach/m);
  const nothing = said(
    await checkNetwork({ PUBLIC_URL: `http://127.0.0.1:${closed}`, EDGE_ADDRESS: `127.0.0.1:${closed}` }),
  );
  expect(nothing).toMatch(/^problem: http:\/\/127\.0\.0\.1:\d+ does not answer \(connect ECONNREFUSED/m);
  expect(nothing).toMatch(/^problem: Connectors do not reach/m);
  expect(said(await checkNetwork({ TUNNEL_DOMAIN: 'nowhere.invalid' }))).toMatch(
    /^problem: doctor\.nowhere\.invalid, .* is not found/m,
  );
});

it.each([
  [0, /^ok: It agrees/],
  [3_600_000, /^problem: It differs .* by 3[56]\d\d s/],
  [-3_600_000, /^problem: It differs/],
])('of the clock: one that is %s ms from the authority’s', async (offMs, expected) => {
  const authority = createServer((_, response) =>
    response.setHeader('date', new Date(Date.now() + offMs).toUTCString()).end(),
  );
  const port = await listen(authority);
  const outside = { ACME_EMAIL: 'a@example.com', ACME_DIRECTORY: `http://127.0.0.1:${port}/` };
  expect(said([await checkClock(outside)])).toMatch(expected);
});

it('of the disk: less room than the reserve', async () => {
  expect(said(await checkDisk([tmpdir()], {}))).toMatch(/^ok: \d+ MB/);
  expect(said(await checkDisk([tmpdir()], { DISK_RESERVE: String(1e15) }))).toMatch(
    /^problem: .*DISK_RESERVE/,
  );
});

it('of mail: a server that is not there, one that is, and never a password', async () => {
  expect(said([await checkMail({})])).toMatch(/^warning: SMTP_URL/);
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  expect(said([await checkMail({ SMTP_URL: server.url })])).toMatch(/^ok:/);
  expect(server.received).toEqual([]);
  const refused = said([await checkMail({ SMTP_URL: `smtp://me:geheim@127.0.0.1:${await freePort()}` })]);
  expect(refused).toMatch(/^problem: .*ECONNREFUSED/);
  expect(refused).not.toContain('geheim');
});
