import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { useBrowser } from '@talpa/test-kit/browser';
import { testCertificate } from '@talpa/test-kit/certificate';
import { askedSession, signedAssertion, signedSession, useGateways } from '@talpa/test-kit/gateway';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, expect, it } from 'vitest';

const test = useStores();
const gateways = useGateways(() => test.stores);
const browser = useBrowser();

/** Two hosts of one domain, as a browser sees it: the panel, and a subdomain of somebody who wants its visitors. */
const [panelHost, subdomain, domain] = ['panel.talpa.localhost', 'spiel.talpa.localhost', 'talpa.localhost'];
const [attacker, victim] = [666, 7].map((userId) => ({
  userId,
  isAdmin: false,
  sessionId: randomUUID(),
})) as [
  Parameters<typeof signedSession>[0] & { isAdmin: boolean },
  Parameters<typeof signedSession>[0] & { isAdmin: boolean },
];
/** Every way in which the subdomain can try to plant its own session. */
const planted = ['talpa_session', '__Host-talpa_session', '__Secure-talpa_session'].flatMap((name) =>
  [
    `Domain=${domain}; Path=/; Secure`,
    `Domain=${domain}; Path=/`,
    'Path=/; Secure',
    `Domain=${panelHost}; Path=/; Secure`,
  ].map((attributes) => `${name}=${signedSession(attacker)}; ${attributes}`),
);

let gatewayPort = 0;
const front = createServer(testCertificate, (incoming, outgoing) => {
  if (incoming.headers.host?.startsWith(subdomain)) {
    outgoing.writeHead(200, { 'set-cookie': planted, 'content-type': 'text/html' });
    return outgoing.end('<!doctype html><title>Spiel</title><h1>Spiel</h1>');
  }
  const { method, url: path, headers } = incoming;
  const forwarded = request({ port: gatewayPort, method, path, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    response.pipe(outgoing);
  });
  incoming.pipe(forwarded);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  ({ port } = front.address() as AddressInfo);
  const gateway = await gateways.start(undefined, { publicUrl: `https://${panelHost}:${port}` });
  gatewayPort = Number(new URL(await gateway.listen({ host: '127.0.0.1', port: 0 })).port);
  const known = [attacker, victim];
  await gateways.play('auth.getSession', (call) =>
    signedAssertion(known.find(({ sessionId }) => sessionId === askedSession(call)) ?? null),
  );
  await gateways.play('auth.getUser', ({ actor }) => ({ body: JSON.stringify({ id: actor?.userId }) }));
  const session = { 'Effect-Session': signedSession(victim) };
  await gateways.play('auth.login', () => ({ body: '{}', headers: session }));
  await gateways.play('auth.logout', () => ({ body: 'null' }));
});
afterAll(() => front.close());

it('by https no subdomain plants its session in the panel, nor reads or removes the panel’s', async () => {
  const { page } = await browser.open(`https://${panelHost}:${port}`, { ignoreHTTPSErrors: true });
  const visit = (host: string) => page.goto(`https://${host}:${port}/`);
  const call = (method: string, path: string, body?: object) =>
    page.evaluate(
      async ([as, to, sent]) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(to, { method: as, headers, ...(sent ? { body: sent } : {}) });
        return { status: response.status, body: await response.text() };
      },
      [method, path, body ? JSON.stringify(body) : ''] as const,
    );
  const whoami = () => call('GET', '/api/user');
  const ofPanel = async () =>
    (await page.context().cookies(`https://${panelHost}:${port}`)).filter(({ name }) =>
      name.startsWith('__Host-'),
    );

  await visit(subdomain);
  await visit(panelHost);
  // What was planted for the whole domain does come along, by other names: it counts for nothing.
  expect((await page.context().cookies(`https://${panelHost}:${port}`)).map(({ name }) => name)).toContain(
    'talpa_session',
  );
  expect(await ofPanel()).toEqual([]);
  expect((await whoami()).status).toBe(401);

  await call('POST', '/api/login', { username: 'mole', password: 'p' });
  const device = expect.objectContaining({ name: '__Host-talpa_device', domain: panelHost, path: '/' });
  const own = [
    expect.objectContaining({ name: '__Host-talpa_session', domain: panelHost, path: '/' }),
    device,
  ];
  expect(await ofPanel()).toEqual(own);
  const locked = { secure: true, httpOnly: true, sameSite: 'Lax' };
  expect(await ofPanel()).toMatchObject([locked, locked]);
  await visit(subdomain);
  await visit(panelHost);
  expect(await ofPanel()).toEqual(own);
  expect(await whoami()).toEqual({ status: 200, body: JSON.stringify({ id: victim.userId }) });

  await call('POST', '/api/logout');
  // The browser is still known.
  expect(await ofPanel()).toEqual([device]);
});
