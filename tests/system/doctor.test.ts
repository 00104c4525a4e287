import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { doctorWords } from '@talpa/contracts';
import { serverCertificates } from '@talpa/test-kit/certificate';
import { Client } from '@talpa/test-kit/client';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { operate } from '@talpa/test-kit/operator';
import { freePort } from '@talpa/test-kit/ports';
import { adminPassword, useTalpa } from '@talpa/test-kit/system';
import { afterAll, expect, it } from 'vitest';

const tlsServer = createServer(serverCertificates.expired, (_, response) => response.end());
tlsServer.listen(0, '127.0.0.1');
await once(tlsServer, 'listening');
afterAll(() => void tlsServer.close());
const mailPort = await freePort();
const installation = {
  PUBLIC_URL: `https://localhost:${(tlsServer.address() as AddressInfo).port}`,
  SMTP_URL: `smtp://talpa:streng-geheim@127.0.0.1:${mailPort}`,
  MAIL_FROM: 'talpa@example.org',
  TUNEL_DOMAIN: 'nobody.reads.example',
};
const system = useTalpa(installation);

/** The panel is asked where it listens; a browser would come from PUBLIC_URL. */
class Visitor extends Client {
  override send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return super.send(method, path, body, { origin: installation.PUBLIC_URL, ...headers });
  }
}
const signedIn = async () => {
  const admin = new Visitor(system.url);
  await admin.call('POST /api/login', { username: 'admin', password: adminPassword });
  return admin;
};

const route = 'GET /api/admin/system/doctor';
const textsOf = async (admin: Client, again?: 'true') => {
  const { findings } = await admin.call(route, again ? { again } : {});
  return findings.map((finding) => `${finding.state} ${doctorWords(finding, 'en').text}`);
};

/** What the checklist says of email. */
const mailStep = async (admin: Client) => {
  const { checks } = await admin.call('GET /api/admin/system', {});
  return checks.find(({ check }) => check === 'mail')?.state;
};

it('the checklist does not call done what the doctor finds failing', async () => {
  const admin = await signedIn();
  await expect.poll(() => mailStep(admin)).toBe('failing');
});

it('the page and the command say the same of a mail server that refuses and of an expired certificate', async () => {
  const [texts, { code, output }] = await Promise.all([
    textsOf(await signedIn()),
    operate(system.talpa.home, ['doctor'], installation),
  ]);
  for (const said of [
    /The mail server can’t be used \(.*ECONNREFUSED/,
    /Browsers reject .*CERT_HAS_EXPIRED/,
  ]) {
    expect(texts).toContainEqual(expect.stringMatching(new RegExp(`^failed .*${said.source}`)));
    expect(output).toMatch(new RegExp(`^✗ .*${said.source}`, 'm'));
  }
  for (const said of [
    /Postgres \d+\S* .*responding/,
    /NATS \d\S* is responding/,
    /No proxy’s provisioning/,
  ]) {
    expect(texts).toContainEqual(expect.stringMatching(new RegExp(`^ok .*${said.source}`)));
    expect(output).toMatch(new RegExp(`^✓ .*${said.source}`, 'm'));
  }
  expect(code).toBe(1);
  // Only the command sees the settings of all.
  expect(output).toMatch(/^! Settings +TUNEL_DOMAIN is not a setting .* TUNNEL_DOMAIN\?/m);
  expect(texts.join('\n') + output).not.toContain('streng-geheim');
});

it('all who ask get one report, which is made anew when somebody asks for it again', async () => {
  const admin = await signedIn();
  const reports = await Promise.all([1, 2, 3].map(() => admin.call(route, {})));
  expect(new Set(reports.map(({ checkedAt }) => checkedAt)).size).toBe(1);
  expect(reports[0]?.notChecked).toEqual(['settings']);

  const server = await startMailServer(
    { onAuth: ({ username }, _session, done) => done(null, { user: username }) },
    '127.0.0.1',
    mailPort,
  );
  try {
    await expect
      .poll(() => textsOf(admin, 'true'), { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/^ok The mail server/));
    expect(await mailStep(admin)).toBe('ok');
  } finally {
    await server.stop();
  }
});

it('an operator in a container, who has no mail server’s address, is told by the service', async () => {
  const { output, code } = await operate(system.talpa.home, ['doctor'], { TALPA_CALL: 'talpa-in-docker' });
  expect(output).toMatch(/^[✗✓] Email +The mail server/m);
  expect(output).toMatch(/^✗ Certificates +Browsers reject/m);
  expect(output).toMatch(/“talpa-in-docker backup <folder>”/);
  expect(code).toBe(1);
});
