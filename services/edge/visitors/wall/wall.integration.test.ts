import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { begin, type RawAsk } from '@talpa/test-kit/raw-http';
import { until } from '@talpa/test-kit/wait';
import { cookieOf, panelUrl, pin, useWall } from '@talpa/test-kit/wall';
import { expect, it } from 'vitest';

const test = useWall();

it('a page that is opened is the wall, anything else gets 401 as JSON, and nothing reaches the panel behind', async () => {
  const { host, open, visit } = await test.newProxy();
  const page = await open('/admin?x=1');
  expect(page.status).toBe(401);
  expect(page.body).toContain('name="path" value="/admin?x=1"');
  expect(page.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(page.body).not.toContain('<script');
  const others: Partial<RawAsk>[] = [
    { headers: { accept: '*/*' } },
    { headers: { accept: 'text/html', 'sec-fetch-mode': 'cors' } },
    ...['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'MKCOL'].map((method) => ({
      ...{ method, headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } },
    })),
    { headers: { accept: 'text/html', connection: 'Upgrade', upgrade: 'h2c' } },
    { path: '/.talpa/access/elsewhere', headers: { accept: 'text/html' } },
    { method: 'PUT', path: '/.talpa/access/pin' },
  ];
  for (const other of others) {
    const { status, body } = await visit(other);
    if (other.headers && 'upgrade' in other.headers) expect(status).toBe(401);
    else expect([status, JSON.parse(body).code]).toEqual([401, 'sign_in_required']);
  }
  const webSocket = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  expect((await visit({ headers: { ...webSocket, 'sec-websocket-version': '13', host } })).status).toBe(401);
  expect(test.seen).toEqual([]);
});

it('the right PIN opens the proxy and leads to the page that was asked for, a wrong one does not', async () => {
  const proxy = await test.newProxy();
  const wrong = await proxy.tryPin('000000', { back: '/admin' });
  expect(wrong).toMatchObject({ status: 401, headers: { 'x-edge-error': 'sign_in_required' } });
  expect(wrong.body).toContain('role="alert"');
  expect(wrong.headers['set-cookie']).toBeUndefined();
  const right = await proxy.tryPin(pin, { back: '/admin?tab=2' });
  expect(right).toMatchObject({ status: 303, headers: { location: '/admin?tab=2' } });
  expect(right.headers['set-cookie']?.[0]).toMatch(
    /^talpa-access=[\w-]{43}; Path=\/; Max-Age=60[34]\d{3}; HttpOnly; SameSite=Lax$/,
  );
  expect(await proxy.visit({ headers: { cookie: cookieOf(right) } })).toMatchObject({
    body: 'the panel behind',
  });
});

it('the address of a form, opened again, leads to the wall', async () => {
  const { open } = await test.newProxy();
  for (const form of ['pin', 'password', 'email', 'email-code'])
    expect(await open(`/.talpa/access/${form}`)).toMatchObject({ status: 303, headers: { location: '/' } });
});

it.each([
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  '/\t/evil.test',
  'javascript:alert(1)',
  '/.talpa/access/sign-in',
  '',
])('nobody is led to another host after the wall: %j', async (back) => {
  const { tryPin } = await test.newProxy();
  expect((await tryPin(pin, { back })).headers.location).toBe('/');
});

it('signing in at the panel leads to no other host, whatever the visitor asked for or their cookie says', async () => {
  const proxy = await test.newProxy({ methods: ['member'] });
  for (const back of [
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    '/.talpa/access/sign-in?path=//evil.test',
  ])
    expect((await proxy.signIn('member', { back })).answer.headers.location).toBe('/');
  for (const path of ['//evil.test', '/\r\nset-cookie: a=b', '/ä', `/${'a'.repeat(2_000)}`])
    expect((await proxy.signIn('member', { cookiePath: path })).answer).toMatchObject({
      ...{ status: 303, headers: { location: '/' } },
    });
});

it('a policy or a way to pass that this version does not know lets nobody in, whatever they have', async () => {
  const proxy = await test.newProxy();
  const token = { 'talpa-service-token': await proxy.newToken() };
  expect((await proxy.visit({ headers: { ...token, cookie: await proxy.passed() } })).status).toBe(200);
  const wall = { kind: 'wall', methods: ['pin'], require: 'any', rules: [], days: 7 };
  for (const strange of [
    { kind: 'later' },
    { ...wall, methods: ['iris'] },
    { ...wall, require: 'some' },
    {},
  ]) {
    const cookie = await proxy.passed();
    await proxy.setPolicy(strange);
    for (const headers of [token, { cookie }, { ...token, cookie }])
      expect((await proxy.visit({ headers })).status).toBe(403);
    expect((await proxy.tryPin(pin)).status).toBe(403);
    await proxy.set({ methods: ['pin'] });
  }
});

it('what opens one proxy never opens another one, whatever was cached', async () => {
  const [a, b] = [await test.newProxy(), await test.newProxy()];
  const cookie = await a.passed();
  for (let round = 0; round < 3; round += 1) {
    expect((await a.visit({ headers: { cookie } })).status).toBe(200);
    expect((await b.visit({ headers: { cookie } })).status).toBe(401);
  }
});

it('the cookies of the wall never reach the panel behind, and none of theirs comes from it', async () => {
  const proxy = await test.newProxy();
  const cookie = await proxy.passed();
  test.respond = (_request, response) =>
    void response
      .setHeader('set-cookie', [
        'talpa-access=forged; Path=/',
        '__Host-talpa-access-state=x',
        'talpa-access-email=x',
        'own=1',
        ' __HOST-Talpa-Access = y',
      ])
      .end();
  const answer = await proxy.visit({
    headers: {
      cookie: `a=1; ${cookie}; __Host-talpa-access=x; talpa-access-state=y; __Host-talpa-access-email=z; b=2`,
    },
  });
  expect(test.seen.at(-1)?.headers.cookie).toBe('a=1; b=2');
  expect(answer.headers['set-cookie']).toEqual(['own=1']);
  await proxy.visit({ headers: { cookie } });
  expect(test.seen.at(-1)?.headers.cookie).toBeUndefined();
  // Over http an origin's script or another host can set some beside ours: any valid one of the first four counts.
  const others = (count: number) =>
    Array.from({ length: count }, (_, one) => `talpa-access=${String(one).repeat(43)}; `).join('');
  const withOthers = (count: number) => proxy.visit({ headers: { cookie: `${others(count)}${cookie}` } });
  expect([(await withOthers(1)).status, (await withOthers(3)).status]).toEqual([200, 200]);
  expect((await withOthers(4)).status).toBe(401);
});

it('a PIN counts as it is pasted: with spaces, in full-width digits', async () => {
  const proxy = await test.newProxy();
  const wide = pin.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
  for (const typed of [` ${pin}\u00a0`, `${pin.slice(0, 3)} ${pin.slice(3)}`, wide, `${pin}\u200b`])
    expect((await proxy.tryPin(typed)).status).toBe(303);
  expect((await proxy.tryPin(`${pin}${' '.repeat(200)}`)).status).toBe(401);
});

it('a CORS preflight passes where the policy says so, with its own headers alone, and nothing else does', async () => {
  const proxy = await test.newProxy();
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
  const secret = { cookie: 'a=1', authorization: 'Bearer x', 'x-http-method-override': 'DELETE' };
  const send = (more: object = {}) =>
    proxy.visit({ method: 'OPTIONS', headers: { ...asked, ...secret }, ...more });
  expect((await send()).status).toBe(401);
  await proxy.setPolicy({
    ...{ kind: 'wall', methods: ['pin'], require: 'any', rules: [], days: 7, preflights: true },
  });
  test.seen = [];
  const headers = { ...asked, ...secret, 'access-control-request-headers': 'x-a' };
  expect((await send({ headers })).status).toBe(200);
  expect(test.seen.at(-1)).toMatchObject({
    method: 'OPTIONS',
    headers: { ...asked, 'access-control-request-headers': 'x-a' },
  });
  for (const name of Object.keys(secret)) expect(test.seen.at(-1)?.headers[name]).toBeUndefined();
  test.seen = [];
  for (const more of [
    { headers: { ...asked, 'content-length': '1' }, body: 'x' },
    { headers: { origin: asked.origin } },
    { headers: { 'access-control-request-method': 'PUT' } },
    { headers: { ...asked, origin: '' } },
    { method: 'GET' },
    { method: 'POST' },
  ])
    expect([400, 401]).toContain((await send(more)).status);
  expect(test.seen).toEqual([]);
});

it('a visit ends with its policy, and what is open ends too', async () => {
  const proxy = await test.newProxy();
  const cookie = await proxy.passed();
  test.respond = (_request, response) => void response.write('the beginning');
  const download = await begin({ port: test.side.httpPort, host: proxy.host, headers: { cookie } });
  download.on('error', () => {});
  await once(download, 'data');
  const ended = new Promise((done) => download.once('close', done));
  await proxy.set({ methods: ['pin'] });
  await test.side.recheck(new Set([proxy.host]));
  await ended;
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(401);
});

it('who is asked for their visit while the proxy is paused gets nothing of the panel', async () => {
  const proxy = await test.newProxy();
  const cookie = await proxy.passed();
  const { proxiesOwnerSql: owner, proxiesSql: sql } = test.provider;
  await test.changed(proxy.host);
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = owner.begin(async (tx) => {
    await tx`lock table visits in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const visited = proxy.visit({ headers: { cookie } });
  await until('the edge to look for the visit', async () => {
    const rows = await sql`select 1 from pg_locks where not granted and relation = 'visits'::regclass`;
    return rows.length > 0;
  });
  await sql`update proxies set paused_at = now(), pause_message = 'Kaffee' where uuid = ${proxy.uuid}`;
  await test.changed(proxy.host);
  released.resolve();
  await held;
  expect(await visited).toMatchObject({ status: 503, body: expect.stringContaining('Kaffee') });
  expect(test.seen).toEqual([]);
});

it('a visit that is ended opens nothing within a second', async () => {
  const proxy = await test.newProxy();
  const cookie = await proxy.passed();
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(200);
  await test.provider.proxiesSql`delete from visits where proxy_uuid = ${proxy.uuid}`;
  await until('the end', async () => (await proxy.visit({ headers: { cookie } })).status === 401);
});

it('a visitor has ten tries, and guessers from many addresses are stopped together, without the owner', async () => {
  const proxy = await test.newProxy();
  const from = (address: string) => ({ from: '127.0.0.9', headers: { 'x-forwarded-for': address } });
  const statuses: number[] = [];
  // One network of IPv6 is one visitor.
  for (let guess = 0; guess < 12; guess += 1)
    statuses.push((await proxy.tryPin('000000', from(`2001:db8::${guess + 1}`))).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  // Right, but too late.
  expect((await proxy.tryPin(pin, from('2001:db8::99'))).status).toBe(429);
  for (let guess = 0; guess < 50; guess += 1)
    expect((await proxy.tryPin('000000', from(`192.0.2.${guess}`))).status).toBe(401);
  expect((await proxy.tryPin('000000', from('198.51.100.1'))).status).toBe(429);
  expect((await proxy.tryPin(pin, from('198.51.100.2'))).status).toBe(429);
  const { cookie } = await proxy.signIn('owner');
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(200);
});

it('signing in at the panel opens the proxy, once, in the browser and at the host where it began', async () => {
  const proxy = await test.newProxy({ methods: ['member'] });
  const { target, answer, redeem, cookie } = await proxy.signIn('member', { back: '/admin' });
  expect(target.origin + target.pathname).toBe(`${panelUrl}/visit`);
  expect(target.searchParams.get('host')).toBe(proxy.host);
  expect(answer).toMatchObject({ status: 303, headers: { location: '/admin' } });
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(200);
  const again = await redeem();
  expect([again.status, cookieOf(again)]).toEqual([401, '']);
  for (const wrong of [{ spoiled: true }, { at: 'other.tunnel.localhost' }]) {
    const refused = await proxy.signIn('member', wrong);
    expect([refused.answer.status, refused.cookie]).toEqual([401, '']);
    // It is used up all the same.
    expect((await refused.redeem()).status).toBe(401);
  }
});

it('a code is good for 30 seconds', async () => {
  const proxy = await test.newProxy({ methods: ['member'] });
  const [row] = await test.provider.proxiesSql<{ seconds: number }[]>`
    insert into access_codes (code_hash, proxy_uuid, host, state_hash, user_id, method, as_admin)
    values (${randomBytes(32)}, ${proxy.uuid}, ${proxy.host}, ${randomBytes(32)}, 7, 'member', false)
    returning extract(epoch from expires_at - now())::integer as seconds`;
  expect(row?.seconds).toBe(30);
  await test.provider.proxiesSql`update access_codes set expires_at = now() where proxy_uuid = ${proxy.uuid}`;
  const code = randomBytes(32).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  await test.provider.proxiesSql`
    insert into access_codes (code_hash, proxy_uuid, host, state_hash, user_id, method, as_admin, expires_at)
    values (${createHash('sha256').update(code).digest()}, ${proxy.uuid}, ${proxy.host},
      ${createHash('sha256').update(state).digest()}, 7, 'member', false, now() - interval '1 second')`;
  const late = await proxy.open(`/.talpa/access/return?code=${code}`, {
    cookie: `talpa-access-state=${state}.Lw`,
  });
  expect([late.status, cookieOf(late)]).toEqual([401, '']);
});

it('“all of” asks for each method, and the owner for none but their sign-in', async () => {
  const proxy = await test.newProxy({ methods: ['pin', 'password'], require: 'all' });
  const first = await proxy.passed();
  expect((await proxy.visit({ headers: { cookie: first } })).status).toBe(401);
  const second = await proxy.tryPin(pin, { path: '/.talpa/access/password', headers: { cookie: first } });
  expect((await proxy.visit({ headers: { cookie: cookieOf(second) } })).status).toBe(200);
  expect((await proxy.visit({ headers: { cookie: first } })).status).toBe(401);
  const { cookie } = await proxy.signIn('owner');
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(200);
  // A method that the policy does not have opens nothing.
  await proxy.set({ methods: ['password'] });
  expect((await proxy.tryPin(pin)).status).toBe(401);
});

it('rules come before the wall: who is allowed needs no PIN, who is denied has no use for it', async () => {
  const rule = (action: string, network: string) => ({
    action,
    match: { by: 'address', network },
    expiresAt: null,
  });
  const proxy = await test.newProxy({
    methods: ['pin'],
    rules: [rule('allow', '127.0.0.2'), rule('deny', '127.0.0.3')],
  });
  const cookie = await proxy.passed();
  expect((await proxy.visit({ from: '127.0.0.2' })).status).toBe(200);
  expect((await proxy.visit({ from: '127.0.0.3', headers: { cookie } })).status).toBe(403);
  // What belongs to the wall is never the panel's, or a PIN could get there.
  expect((await proxy.tryPin(pin, { from: '127.0.0.2' })).status).toBe(303);
  expect(test.seen.length).toBe(1);
});

it('rules about paths refuse what is behind the wall, but not the wall itself; all other rules do', async () => {
  const rule = (action: string, match: object) => ({ action, match, expiresAt: null });
  const [panel, all] = [
    { by: 'path', path: '/panel' },
    { by: 'path', path: '/' },
  ];
  const nobody = { by: 'address', network: '127.0.0.0/8' };
  const proxy = await test.newProxy({
    methods: ['pin'],
    rules: [rule('continue', panel), rule('deny', all)],
  });
  expect((await proxy.open('/panel')).status).toBe(401);
  const passed = await proxy.tryPin(pin, { back: '/panel' });
  expect(passed.status).toBe(303);
  const cookie = cookieOf(passed);
  expect((await proxy.visit({ path: '/panel', headers: { cookie } })).status).toBe(200);
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(403);
  await proxy.set({ methods: ['pin'], rules: [rule('allow', panel), rule('deny', nobody)] });
  expect((await proxy.visit({ path: '/panel' })).status).toBe(200);
  expect((await proxy.tryPin(pin)).status).toBe(403);
});

it('a form that another host has sent passes nobody, be it of the same domain', async () => {
  const { host, tryPin } = await test.newProxy();
  const send = (origin: string, site?: string) =>
    tryPin(pin, { headers: { origin, ...(site ? { 'sec-fetch-site': site } : {}) } });
  for (const [origin, site] of [
    ['https://evil.test'],
    ['http://evil.tunnel.localhost', 'same-site'],
    ['null', 'same-site'],
    ['null', 'cross-site'],
  ] as const) {
    const foreign = await send(origin, site);
    expect([foreign.status, cookieOf(foreign)]).toEqual([401, '']);
  }
  for (const own of [send(`http://${host}`), send('null', 'same-origin'), send('null')])
    expect((await own).status).toBe(303);
});
