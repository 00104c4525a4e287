import { readFileSync } from 'node:fs';
import { type AccessPolicy, type WallMethod, wallText } from '@talpa/contracts';
import { useBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { startReal } from '@talpa/test-kit/connector/connectors';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

export const mailServer = await startMailServer();
afterAll(() => mailServer.stop());
export const system = useTalpa(
  { SMTP_URL: mailServer.url, MAIL_FROM: 'talpa@example.org' },
  { isPublic: true },
);
export const browser = useBrowser();

export const secrets = { pin: '493817', password: 'Wand-Passwort-1' } as const;

/** A wall with these ways in. */
export const wallOf = (methods: WallMethod[], emails: string[] = []): AccessPolicy => ({
  ...{ kind: 'wall', methods, require: 'any', rules: [], days: 7, emails, preflights: false },
});

/** A proxy behind the real cloudflared, which CLOUDFLARED names, with its owner and its address. */
export async function newProxy(adminPort: number, first: AccessPolicy) {
  const { client, user } = await newUser(system.url, 'premium');
  const { proxy } = await client.call('POST /api/tunnel-configs', { ...proxyInput(), adminPort });
  const { id, cfDomain: host } = proxy;
  const setPolicy = (policy: AccessPolicy, change: { pin?: string; password?: string } = {}) =>
    client.call('PUT /api/tunnel-configs/:id/access', { id, policy, ...change });
  const asked = Object.entries(secrets).filter(
    ([method]) => first.kind === 'wall' && first.methods.includes(method as WallMethod),
  );
  await setPolicy(first, Object.fromEntries(asked));
  const { token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id });
  const { edge } = system.talpa;
  const file = process.env.CLOUDFLARED;
  if (!edge || !file) throw new Error('there is no edge, or no cloudflared');
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const connector = await startReal(file, { port: edge.connectorPort, ca, token, originPort: 0 });
  onTestFinished(() => connector.kill());
  await until('cloudflared', () => connector.output().match(/Registered tunnel connection/g)?.length === 4);
  const { visitorPort: port } = edge;
  const urlOf = (name: string) => `http://${name}:${port}`;
  /** Another panel behind the same connector. */
  const join = async (adminPort: number) => {
    const input = { ...proxyInput(), adminPort };
    const { serverId } = proxy;
    const made = (await client.call('POST /api/tunnel-configs', { ...input, serverId })).proxy;
    return { id: made.id, input, url: urlOf(made.cfDomain) };
  };
  return { client, user, id, host, port, setPolicy, join, url: urlOf(host) };
}

/** The page of the wall is there. */
export const atWall = (page: Page) =>
  page.getByRole('heading', { name: wallText('title', 'de'), exact: true }).waitFor();

/** Enters the right PIN or password at the wall, or another. */
export async function enter(page: Page, method: 'pin' | 'password', secret: string = secrets[method]) {
  await page.getByLabel(wallText(method, 'de'), { exact: true }).fill(secret);
  await page.locator(`form:has(#${method}) button`).click();
}

/** What lets visitors through the wall, or belongs to a session: no program behind may get any of it. */
export const ours = /talpa[-_](access|service|session|device|st_)|\.talpa/i;
