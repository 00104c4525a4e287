import { type WallMethod, wallText } from '@talpa/contracts';
import { type Client, newUser } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { ask, rawSocket } from '@talpa/test-kit/raw-http';
import { carrySession } from '@talpa/test-kit/signed-in';
import { installMs, type RunningProgram, startProgram } from '@talpa/test-kit/strangers/program';
import { until } from '@talpa/test-kit/wait';
import type { WebSocket } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeRed, nodeRedVersion } from './programs.ts';
import { atWall, browser, enter, mailServer, newProxy, ours, system, wallOf } from './proxies.ts';

const { access: sayOfAccess, user: say } = wordsIn('de');
/** A change ends what is open within a second; a busy machine may take longer to notice. */
const soonMs = 5_000;

describe('Node-RED behind the wall and cloudflared, in Chromium', () => {
  let running: RunningProgram;
  beforeAll(async () => {
    running = await startProgram(nodeRed);
  }, installMs);
  afterAll(() => running?.stop());
  const newWalled = (methods: WallMethod[], emails: string[] = []) =>
    newProxy(running.relayPort, wallOf(methods, emails));

  /** A browser at the wall of a proxy, and what it has of Node-RED's editor. */
  const openAs = async (url: string, client: Client | null = null) => {
    const { page } = await browser.open(url);
    if (client) await carrySession(page, client);
    // One that is Node-RED's own: that reaches it.
    await page.context().addCookies([{ name: 'theme', value: 'dark', url }]);
    const live = new Set<WebSocket>();
    page.on('websocket', (socket) => {
      socket.on('framereceived', () => live.add(socket));
      socket.on('close', () => live.delete(socket));
    });
    const load = async () => (await page.goto(url))?.status();
    return {
      page,
      load,
      hasEditor: async () => {
        await page.locator('#red-ui-header-button-deploy').waitFor();
        await until('what the editor’s WebSocket brings', () => live.size === 1);
      },
      isOpen: () => live.size === 1,
      enter: (method: 'pin' | 'password') => enter(page, method),
      /** By the code that is sent to a listed address. */
      enterByEmail: async (address: string) => {
        const to = () => mailServer.received.filter(({ recipient }) => recipient === address);
        const before = to().length;
        await page.getByLabel(wallText('email', 'de'), { exact: true }).fill(address);
        await page.locator('form:has(#email) button').click();
        const mail = await until('the email', () => to()[before]);
        await page
          .getByLabel(wallText('code', 'de'), { exact: true })
          .fill(/^\d{6}$/m.exec(mail.text ?? '')?.[0] ?? '');
        await page.locator('form:has(#code) button').click();
      },
      signIn: async () => {
        await page.getByRole('link', { name: wallText('member', 'de'), exact: true }).click();
        await page.getByRole('button', { name: say('visit.continue'), exact: true }).click();
      },
      isOutside: async () => {
        await until('the end of the WebSocket', () => live.size === 0, soonMs);
        expect(await load()).toBe(401);
        await atWall(page);
      },
    };
  };
  /** So many WebSockets are open at Node-RED itself. */
  const reaches = (count: number) =>
    until(`${count} WebSockets at Node-RED`, () => running.webSockets() === count, soonMs);

  /** Node-RED has got its own cookies, and nothing with which visitors pass the wall. */
  const hasGotNothingOfOurs = (webSockets: number) => {
    const seen = running.seen();
    expect(seen.filter(({ url }) => url === '/comms').length).toBeGreaterThanOrEqual(webSockets);
    expect(running.sent()).not.toMatch(ours);
    return new Set(seen.map(({ cookie }) => cookie));
  };

  it('a PIN and a password open the editor and its WebSocket; the end of a visit and a new PIN close them', async () => {
    const { client, id, url, setPolicy } = await newWalled(['pin', 'password']);
    const [byPin, byPassword] = [await openAs(url), await openAs(url)];
    running.forget();
    for (const one of [byPin, byPassword]) expect(await one.load()).toBe(401);
    expect(running.sent()).toBe('');
    await byPin.enter('pin');
    await byPassword.enter('password');
    for (const one of [byPin, byPassword]) await one.hasEditor();
    await reaches(2);

    const owner = await openAs(system.url, client);
    await owner.page.goto(`/tunnel-configuration/${id}?tab=access`);
    await owner.page.getByRole('button', { name: /^Besuch von PIN seit .* beenden$/ }).click();
    await byPin.isOutside();
    await reaches(1);
    expect(byPassword.isOpen()).toBe(true);
    // Signed in once more, then out by the changed policy.
    await byPin.enter('pin');
    await byPin.hasEditor();
    await setPolicy(wallOf(['pin', 'password']), { pin: '271828' });
    for (const one of [byPin, byPassword]) await one.isOutside();
    await reaches(0);
    await owner.page.getByText(sayOfAccess('visits.empty')).waitFor();
    expect(hasGotNothingOfOurs(3)).toEqual(new Set(['theme=dark']));
  });

  it('a code by email opens the editor and its WebSocket; removing the address closes them', async () => {
    const [mara, ben] = ['mara@example.com', 'ben@example.com'];
    const { url, setPolicy } = await newWalled(['email'], [mara, ben]);
    const [first, second] = [await openAs(url), await openAs(url)];
    running.forget();
    for (const [one, address] of [
      [first, mara],
      [second, ben],
    ] as const) {
      expect(await one.load()).toBe(401);
      await one.enterByEmail(address);
      await one.hasEditor();
    }
    await reaches(2);
    await setPolicy(wallOf(['email'], [ben]));
    for (const one of [first, second]) await one.isOutside();
    await reaches(0);
    await second.enterByEmail(ben);
    await second.hasEditor();
    expect(hasGotNothingOfOurs(3)).toEqual(new Set(['theme=dark']));
  });

  it('the owner and a member sign in at Talpa; a former member is outside alone, everyone after the owner’s suspension', async () => {
    const { client, user, id, url } = await newWalled(['member']);
    const { client: guest } = await newUser(system.url, 'free');
    const memberId = await makeMember(client, id, guest, 'view');
    const [owner, member] = [await openAs(url, client), await openAs(url, guest)];
    for (const one of [owner, member]) {
      expect(await one.load()).toBe(401);
      await one.signIn();
      await one.hasEditor();
    }
    await reaches(2);
    await client.call('DELETE /api/tunnel-configs/:id/members/:memberId', { id, memberId });
    await member.isOutside();
    await reaches(1);
    expect(owner.isOpen()).toBe(true);
    const root = await system.admin();
    await root.call('POST /api/admin/users/:id/suspension', { id: user.id, reason: 'Spam' });
    await until('the end of the owner’s WebSocket', () => !owner.isOpen(), soonMs);
    await reaches(0);
    // The visit may have ended before the edge knows that the proxy is suspended: until then it shows the wall.
    await until('the refusal', async () => (await owner.load()) === 403);
    hasGotNothingOfOurs(2);
  });

  it('a program with a service token reads the API and has a WebSocket, until the token is revoked', async () => {
    const { client, id, host, port } = await newWalled(['pin']);
    const made = await client.call('POST /api/tunnel-configs/:id/service-tokens', {
      ...{ id, name: 'Skript', days: null },
    });
    const read = (headers = {}) => ask({ port, host, path: '/settings', headers });
    const join = (secret: string) =>
      rawSocket(
        port,
        `GET /comms HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nTalpa-Service-Token: ${secret}\r\n\r\n`,
      );
    const headers = { 'talpa-service-token': made.secret };
    expect((await read()).status).toBe(401);
    const { status, body } = await read(headers);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ version: nodeRedVersion });
    const webSocket = join(made.secret);
    const ended = new Promise((done) => webSocket.socket.once('close', done));
    await until('what Node-RED sends', () => /^HTTP\/1.1 101 .*"hb"/s.test(webSocket.received()));
    await reaches(1);
    await client.call('DELETE /api/tunnel-configs/:id/service-tokens/:tokenId', {
      ...{ id, tokenId: made.token.id },
    });
    await ended;
    await reaches(0);
    expect((await read(headers)).status).toBe(401);
    const refused = join(made.secret);
    await until('the refusal', () => refused.received().startsWith('HTTP/1.1 401 '));
    hasGotNothingOfOurs(1);
  });
});
