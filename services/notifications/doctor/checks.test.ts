import { once } from 'node:events';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { type DoctorFinding, doctorWords } from '@talpa/contracts';
import { readSettings } from '@talpa/service-kit/settings';
import { serverCertificates } from '@talpa/test-kit/certificate';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { freePort } from '@talpa/test-kit/ports';
import { expect, it, onTestFinished } from 'vitest';
import { doctorSettings, type Patient } from './finding.ts';
import { checkBackup, checkIssued, checkJobs, checkMail } from './instance.ts';
import { checkClock, checkDisk } from './machine.ts';
import { checkNetwork } from './network.ts';

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
/** What a check says, as `state: text`. */
const said = (found: DoctorFinding | readonly DoctorFinding[]) =>
  [found]
    .flat()
    .map((one) => {
      const { text, advice } = doctorWords(one, 'en');
      return `${one.state}: ${text} ${advice ?? ''}`;
    })
    .join('\n');
/** An installation with these settings that runs on this machine. */
const patient = (env: NodeJS.ProcessEnv, own: Partial<Patient> = {}): Patient => ({
  settings: readSettings(doctorSettings, { TUNNEL_DOMAIN: 'tunnel.localhost', ...env }),
  diskFolders: [tmpdir()],
  clock: null,
  isContainer: false,
  stores: {},
  ask: () => Promise.reject(new Error('service_unavailable')),
  ...own,
});
const network = (env: NodeJS.ProcessEnv, own?: Partial<Patient>) => checkNetwork(patient(env, own));

it.each([
  ['expired', /^failed: Browsers reject .*\(CERT_HAS_EXPIRED\)/m],
  ['valid', /^failed: Browsers reject .*\(DEPTH_ZERO_SELF_SIGNED_CERT\)/m],
] as const)(
  'of the network: a certificate that browsers refuse, here one that is %s',
  async (which, expected) => {
    const port = await listen(https.createServer(serverCertificates[which], (_, response) => response.end()));
    const found = said(await network({ PUBLIC_URL: `https://localhost:${port}`, EDGE_CONNECTOR_PORT: '0' }));
    expect(found).toMatch(expected);
    // One fault, said once.
    expect(found.match(/^failed/gm)).toHaveLength(1);
  },
);

it('of the network: what does not answer, and what does', async () => {
  const panel = await listen(createServer((_, response) => response.end('ok')));
  const [edge, closed] = [await listen(createServer()), await freePort()];
  const found = said(
    await network({ PUBLIC_URL: `http://127.0.0.1:${panel}`, EDGE_ADDRESS: `127.0.0.1:${edge}` }),
  );
  expect(found).toMatch(/^ok: http:\/\/127\.0\.0\.1:\d+ is responding/m);
  expect(found).toMatch(/^ok: Connectors reach/m);
  const shut = { PUBLIC_URL: `http://127.0.0.1:${closed}`, EDGE_ADDRESS: `127.0.0.1:${closed}` };
  const nothing = said(await network(shut));
  expect(nothing).toMatch(/^failed: http:\/\/127\.0\.0\.1:\d+ is not responding \(connect ECONNREFUSED/m);
  expect(nothing).toMatch(/^failed: Connectors can’t reach/m);
  expect(said(await network({ TUNNEL_DOMAIN: 'nowhere.invalid' }))).toMatch(
    /^failed: \*\.nowhere\.invalid, for subdomains, was not found/m,
  );
});

it('of the network: a container does not call what it cannot see a fault', async () => {
  const closed = await freePort();
  const shut = { PUBLIC_URL: `https://127.0.0.1:${closed}`, EDGE_ADDRESS: `127.0.0.1:${closed}` };
  const found = await network(shut, { isContainer: true });
  expect(said(found)).not.toMatch(/^failed/m);
  expect(found.filter(({ says }) => says === 'address_unseen')).toHaveLength(3);
});

it('of the network: with Cloudflare no record for all subdomains and no edge, and that PUBLIC_URL is missing', async () => {
  const found = await network({ TUNNEL_PROVIDER: 'cloudflare', TUNNEL_DOMAIN: 'nowhere.invalid' });
  expect(said(found)).toMatch(/^warning: PUBLIC_URL [^\n]*$/);
});

it.each([
  [0, /^ok: The clock agrees/],
  [3_600_000, /^failed: .* differs .* by 3,[56]\d\d\u00a0s/],
  [-3_600_000, /^failed: .* differs/],
])('of the clock: one that is %s ms from the authority’s', async (offMs, expected) => {
  const authority = createServer((_, response) =>
    response.setHeader('date', new Date(Date.now() + offMs).toUTCString()).end(),
  );
  const clock = `http://127.0.0.1:${await listen(authority)}/`;
  expect(said(await checkClock({ clock }))).toMatch(expected);
});

it('of the disk: less room than the reserve', async () => {
  expect(said(await checkDisk(patient({})))).toMatch(/^ok: [\d,]+\u00a0MB/);
  expect(said(await checkDisk(patient({ DISK_RESERVE: String(1e15) })))).toMatch(/^failed: .*DISK_RESERVE/);
});

it('of mail: a server that is not there, one that is, and never a password, not even where the server repeats it', async () => {
  expect(said(await checkMail(patient({})))).toMatch(/^warning: SMTP_URL/);
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  expect(said(await checkMail(patient({ SMTP_URL: server.url })))).toMatch(/^ok:/);
  expect(server.received).toEqual([]);
  const gone = `smtp://me:geheim@127.0.0.1:${await freePort()}`;
  expect(said(await checkMail(patient({ SMTP_URL: gone })))).toMatch(/^failed: .*ECONNREFUSED/);
  const strict = await startMailServer({
    onAuth: ({ password }, _session, done) => done(new Error(`no ${password} here`)),
  });
  onTestFinished(() => strict.stop());
  const refused = await checkMail(patient({ SMTP_URL: strict.url.replace('//', '//me:ge%40heim@') }));
  expect(said(refused)).toMatch(/^failed: .*no … here/);
  expect(JSON.stringify(refused)).not.toMatch(/ge(@|%40)heim/);
});

it('of what services know: a backup that is old or missing, jobs that fail, and that a service did not respond', async () => {
  const answering = (answers: Readonly<Record<string, unknown>>) =>
    patient({ ACME_EMAIL: 'a@example.com' }, { ask: async (call) => answers[call] as never });
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const backupOf = async (madeAt: string | null) =>
    said(await checkBackup(answering({ 'stats.readLastBackup': { madeAt } })));
  expect(await backupOf(null)).toMatch(/^warning: None was ever made/);
  expect(await backupOf(daysAgo(9))).toMatch(/^warning: .*: 9\. Make one/);
  expect(await backupOf(daysAgo(1))).toMatch(/^ok: .*: 1\./);
  const ill = answering({
    'tunnel-worker.listDeadLetters': [{}, {}],
    'tunnel-worker.readCertificates': [
      { name: 'a.example.com', problem: 'port_closed' },
      { name: 'b.example.com', problem: null },
    ],
  });
  expect(said(await checkJobs(ill))).toMatch(/^failed: .*: 2\. “npm run talpa -- dead-letters list”/);
  expect(said(await checkIssued(ill))).toMatch(/^failed: .* for a\.example\.com\. Reason: .*port 80[^\n]*$/);
  expect(said(await checkJobs(patient({})))).toMatch(/^unknown: tunnel-worker .*service_unavailable/);
});
