import type { RawAsk } from '@talpa/test-kit/raw-http';
import { pin, useWall, type WalledProxy } from '@talpa/test-kit/wall';
import { expect, it } from 'vitest';

const test = useWall();
const message = 'Bin um 18 Uhr zurück';
const secret = /18 Uhr/;

/** What a visitor gets; `words` is the page with the owner's message. */
type Got = 'panel' | 'words' | 'paused' | 'suspended' | 'access_denied' | 'sign_in_required';
const wall = { kind: 'wall', methods: ['pin'], require: 'any', rules: [], days: 7 };
const asPreflight = {
  ...{ method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' } },
};

const visitors: Record<string, readonly [object, (proxy: WalledProxy) => Promise<Partial<RawAsk>>]> = {
  'of an open proxy': [{ kind: 'open' }, async () => ({})],
  'whom rules refuse': [{ kind: 'rules', rules: [], otherwise: 'deny' }, async () => ({})],
  'whom rules let in': [{ kind: 'rules', rules: [], otherwise: 'allow' }, async () => ({})],
  'before the wall': [wall, async () => ({ headers: { accept: 'text/html' } })],
  'who has passed the wall': [
    wall,
    async (proxy) => ({ headers: { 'talpa-service-token': await proxy.newToken() } }),
  ],
  'with another proxy’s token': [
    wall,
    async () => ({ headers: { 'talpa-service-token': await (await test.newProxy()).newToken() } }),
  ],
  'whose preflight the wall lets pass': [{ ...wall, preflights: true }, async () => asPreflight],
};

it.each<[keyof typeof visitors, Got, Got, Got, Got]>([
  // The visitor; at a proxy that is neither, paused, suspended, both.
  ['of an open proxy', 'panel', 'words', 'suspended', 'suspended'],
  ['whom rules refuse', 'access_denied', 'access_denied', 'suspended', 'suspended'],
  ['whom rules let in', 'panel', 'words', 'suspended', 'suspended'],
  ['before the wall', 'sign_in_required', 'sign_in_required', 'suspended', 'suspended'],
  ['who has passed the wall', 'panel', 'words', 'suspended', 'suspended'],
  ['with another proxy’s token', 'sign_in_required', 'sign_in_required', 'suspended', 'suspended'],
  ['whose preflight the wall lets pass', 'panel', 'paused', 'suspended', 'suspended'],
])('a visitor %s gets %s, while it is paused %s, suspended %s, both %s', async (name, ...expected) => {
  const [policy, prepare] = visitors[name] ?? [];
  if (!policy || !prepare) throw new Error(`no visitor ${name}`);
  const proxy = await test.newProxy();
  const got: Got[] = [];
  for (const isSuspended of [false, true])
    for (const isPaused of [false, true]) {
      await set(proxy, { isPaused, isSuspended });
      await proxy.setPolicy(policy);
      const { status, headers, body } = await proxy.visit(await prepare(proxy));
      const code = headers['x-edge-error'] as Got | undefined;
      const said = code === 'paused' && secret.test(body) ? 'words' : (code ?? 'panel');
      expect([said, secret.test(body)]).toEqual([said, said === 'words']);
      if (code === 'paused') expect([status, headers['retry-after']]).toEqual([503, '300']);
      got.push(said);
    }
  expect(got).toEqual(expected);
});

it('the wall can be passed while the proxy is paused, and the message is all there is behind it', async () => {
  const proxy = await test.newProxy();
  await set(proxy, { isPaused: true, isSuspended: false });
  await proxy.setPolicy(wall);
  expect((await proxy.tryPin('000000')).body).not.toMatch(secret);
  const passed = await proxy.tryPin(pin);
  expect(passed).toMatchObject({ status: 303 });
  const [cookie] = passed.headers['set-cookie']?.[0]?.split(';') ?? [];
  const page = await proxy.open('/admin', { cookie });
  expect(page).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '300' } });
  expect(page.body).toMatch(secret);
  const json = await proxy.visit({ headers: { cookie, accept: 'application/json' } });
  expect(JSON.parse(json.body)).toMatchObject({ code: 'paused', ownerMessage: message });
  expect(test.seen).toEqual([]);
});

async function set(
  { uuid, host }: WalledProxy,
  { isPaused, isSuspended }: { isPaused: boolean; isSuspended: boolean },
) {
  const { provider } = test;
  await provider.proxiesSql`
    update proxies set paused_at = ${isPaused ? new Date() : null}, pause_message = ${isPaused ? message : null}
    where uuid = ${uuid}`;
  const [record] = await provider.sql<
    { content: string }[]
  >`select content from dns_records where name = ${host}`;
  const path = `/client/v4/accounts/account1/cfd_tunnel/${record?.content.split('.')[0]}/configurations`;
  const service = isSuspended ? 'http_status:403' : 'http://127.0.0.1:1';
  await provider.send('PUT', path, { config: { ingress: [{ service }] } });
}
