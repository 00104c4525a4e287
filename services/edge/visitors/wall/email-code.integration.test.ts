import { randomBytes } from 'node:crypto';
import type { RawResponse } from '@talpa/test-kit/raw-http';
import { cookieOf, pin, useWall } from '@talpa/test-kit/wall';
import { expect, it } from 'vitest';

const test = useWall();
const [mara, ben, nobody] = ['mara@example.com', 'ben@example.com', 'nobody@example.com'];
const byEmail = { methods: ['email'], emails: [mara, ben] };
const newProxy = (wall = byEmail) => test.newProxy(wall);
type Proxy = Awaited<ReturnType<typeof newProxy>>;
const from = (address: string) => ({ from: '127.0.0.9', headers: { 'x-forwarded-for': address } });

/** A code that was sent to an address, and the cookie with which it counts. */
async function newCode(proxy: Proxy, email = mara) {
  const { cookie } = await proxy.requestCode(email);
  const [mail] = (await proxy.sendMails()).slice(-1);
  if (!mail) throw new Error('no email was sent');
  return { code: mail.code, cookie };
}
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
/** Lets time pass for what was requested. */
const passMinutes = (proxy: Proxy, minutes: number) => test.provider.proxiesSql`
  update access_email_codes set expires_at = expires_at - make_interval(mins => ${minutes}),
    counts_until = counts_until - make_interval(mins => ${minutes})
  where proxy_uuid = ${proxy.uuid}`;
const opens = async (proxy: Proxy, answer: RawResponse) =>
  (await proxy.visit({ headers: { cookie: cookieOf(answer) } })).status === 200;

it('a listed address and any other get the same answer by the same statements, and the listed one alone an email', async () => {
  const proxy = await newProxy();
  const sql = test.provider.proxiesSql;
  const seen = [];
  for (const email of [mara, nobody]) {
    const { answer, cookie } = await proxy.requestCode(email, { back: '/admin' });
    const page = await proxy.open(answer.headers.location ?? '', { cookie });
    const wrong = await proxy.enterCode('000000', cookie);
    const plain = ({ status, rawHeaders, body }: RawResponse) => ({
      status,
      body,
      headers: rawHeaders
        .join('\n')
        .replace(/(talpa-access-email=)[\w-]{43}\.|[0-9a-f]{16}-\w+|.* GMT/g, '$1'),
    });
    seen.push([answer, page, wrong].map(plain));
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.map(({ status }) => status)).toEqual([303, 401, 401]);
  // What is stored and ordered differs in the address alone, and the order has not even that.
  const stored = await sql`
    select policy_version, host, language, code_hash, tries from access_email_codes where proxy_uuid = ${proxy.uuid}`;
  expect(stored[0]).toEqual(stored[1]);
  const orders = await sql<{ payload: object }[]>`
    select payload from outbox join access_email_codes on payload->>'id' = access_email_codes.id::text
    where proxy_uuid = ${proxy.uuid}`;
  expect(orders).toHaveLength(2);
  for (const { payload } of orders)
    expect(payload).toEqual({
      ...{ id: expect.any(String), userId: proxy.owner, mail: { kind: 'access_code', params: {} } },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  expect(await proxy.sendMails()).toEqual([
    { address: mara, host: proxy.host, language: 'de', code: expect.stringMatching(/^\d{6}$/) },
    null,
  ]);
});

it('the right code opens the proxy and leads to the page that was asked for, and the visit names the address', async () => {
  const proxy = await newProxy();
  const { answer, cookie } = await proxy.requestCode(' Mara@Example.COM ', { back: '/admin?tab=2' });
  expect(answer).toMatchObject({ status: 303, headers: { location: '/.talpa/access/email-code' } });
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^talpa-access-email=[\w-]{43}\.[\w-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  const page = await proxy.open('/.talpa/access/email-code', { cookie });
  expect(page.body).toContain('autocomplete="one-time-code"');
  expect(page.body).toContain('href="/admin?tab=2"');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
  const [mail] = await proxy.sendMails();
  const { code = '' } = mail ?? {};
  const right = await proxy.enterCode(`${code.slice(0, 3)} ${code.slice(3)}`, cookie);
  expect(right).toMatchObject({ status: 303, headers: { location: '/admin?tab=2' } });
  // The cookie of the request is removed.
  expect(right.headers['set-cookie']?.[1]).toMatch(/^talpa-access-email=; Path=\/; Max-Age=0/);
  expect(await opens(proxy, right)).toBe(true);
  expect(test.seen.at(-1)?.headers.cookie).toBeUndefined();
  expect(
    await test.provider.proxiesSql`
      select methods, email from visits where proxy_uuid = ${proxy.uuid}`,
  ).toEqual([{ methods: ['email'], email: mara }]);
});

it('a code begins one visit: sent again within ten seconds, as by Enter pressed twice, it gives that visit another secret', async () => {
  const proxy = await test.newProxy({ methods: ['pin', 'email'], require: 'all', emails: [mara] });
  const sql = test.provider.proxiesSql;
  const { code, cookie } = await newCode(proxy);
  const send = () => proxy.enterCode(code, `${cookie}; ${begun}`);
  const begun = await proxy.passed();
  const both = await Promise.all([send(), send()]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  const last = await send();
  const opened = [];
  for (const answer of [...both, last]) opened.push(await opens(proxy, answer));
  expect(opened).toEqual([false, false, true]);
  const visits = () => sql`select methods, email from visits where proxy_uuid = ${proxy.uuid}`;
  expect(await visits()).toEqual([{ methods: expect.arrayContaining(['pin', 'email']), email: mara }]);
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from expires_at - now())::float8 as seconds from access_email_codes where proxy_uuid = ${proxy.uuid}`;
  expect(row?.seconds).toBeLessThan(10);
  await sql`update access_email_codes set expires_at = now() where proxy_uuid = ${proxy.uuid}`;
  const late = await send();
  expect([late.status, cookieOf(late), (await visits()).length]).toEqual([401, '', 1]);
});

it('a visit that was ended does not begin anew with its code', async () => {
  const proxy = await newProxy();
  const { code, cookie } = await newCode(proxy);
  expect((await proxy.enterCode(code, cookie)).status).toBe(303);
  await test.provider.proxiesSql`delete from visits where proxy_uuid = ${proxy.uuid}`;
  const again = await proxy.enterCode(code, cookie);
  expect([again.status, cookieOf(again)]).toEqual([401, '']);
});

it('a code counts in the browser that has requested it alone', async () => {
  const proxy = await newProxy();
  const { code, cookie } = await newCode(proxy);
  const other = await proxy.requestCode(ben);
  for (const wrong of [
    '',
    other.cookie,
    `talpa-access-email=${randomBytes(32).toString('base64url')}.Lw`,
    `${cookie}; ${other.cookie}`,
  ]) {
    const refused = await proxy.enterCode(code, wrong);
    expect([refused.status, cookieOf(refused)]).toEqual([401, '']);
  }
  expect((await proxy.enterCode(code, cookie)).status).toBe(303);
});

it('a code counts for its proxy and at its host alone', async () => {
  const [proxy, other] = [await newProxy(), await newProxy()];
  const { code, cookie } = await newCode(proxy);
  expect((await other.enterCode(code, cookie)).status).toBe(401);
  const sql = test.provider.proxiesSql;
  // Requested at another name of the same proxy.
  await sql`update access_email_codes set host = 'play.example.org' where proxy_uuid = ${proxy.uuid}`;
  expect((await proxy.enterCode(code, cookie)).status).toBe(401);
  // A name that leads to another proxy now.
  await sql`update access_email_codes set host = ${other.host} where proxy_uuid = ${proxy.uuid}`;
  expect((await other.enterCode(code, cookie)).status).toBe(401);
  await sql`update access_email_codes set host = ${proxy.host} where proxy_uuid = ${proxy.uuid}`;
  expect((await proxy.enterCode(code, cookie)).status).toBe(303);
});

it('a changed policy voids what was requested before, sent or not, and ends the visits of an address that is removed', async () => {
  const proxy = await newProxy();
  const cookie = await proxy.passedByEmail(ben);
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(200);
  const sent = await newCode(proxy);
  await proxy.requestCode(mara);
  await proxy.set({ methods: ['email'], emails: [mara] });
  expect((await proxy.enterCode(sent.code, sent.cookie)).status).toBe(401);
  expect(await proxy.sendMails()).toEqual([null]);
  expect((await proxy.visit({ headers: { cookie } })).status).toBe(401);
  await proxy.requestCode(ben);
  expect(await proxy.sendMails()).toEqual([null]);
});

it('a code is good for ten minutes from when it is sent, and a request that waits longer is not sent', async () => {
  const proxy = await newProxy();
  const { code, cookie } = await newCode(proxy);
  const sql = test.provider.proxiesSql;
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from expires_at - now())::integer as seconds from access_email_codes
    where proxy_uuid = ${proxy.uuid}`;
  expect(row?.seconds).toBeGreaterThan(590);
  expect(row?.seconds).toBeLessThanOrEqual(600);
  await sql`update access_email_codes set expires_at = now() where proxy_uuid = ${proxy.uuid}`;
  const late = await proxy.enterCode(code, cookie);
  expect([late.status, cookieOf(late)]).toEqual([401, '']);
  await proxy.requestCode(mara);
  await passMinutes(proxy, 10);
  expect(await proxy.sendMails()).toEqual([null]);
});

it('wrong tries are counted as long for every request, whether or not its email was sent', async () => {
  const proxy = await newProxy();
  const asked = [await proxy.requestCode(mara), await proxy.requestCode(nobody)];
  await passMinutes(proxy, 9);
  const [mail] = await proxy.sendMails();
  await passMinutes(proxy, 2);
  const wrong = wrongFor(mail?.code ?? '');
  for (const { cookie } of asked) expect((await proxy.enterCode(wrong, cookie)).status).toBe(401);
  const tries = async () => {
    const rows = await test.provider.proxiesSql<{ tries: number }[]>`
      select tries from access_email_codes where proxy_uuid = ${proxy.uuid} order by address`;
    return rows.map((row) => row.tries);
  };
  expect(await tries()).toEqual([1, 1]);
  await passMinutes(proxy, 9);
  for (const { cookie } of asked) await proxy.enterCode(wrong, cookie);
  expect(await tries()).toEqual([1, 1]);
});

it('another attempt to send the email makes another code, which alone counts', async () => {
  const proxy = await newProxy();
  const { cookie } = await proxy.requestCode(mara);
  const [first] = await proxy.sendMails();
  const [row] = await test.provider.proxiesSql<{ id: string }[]>`
    select id from access_email_codes where proxy_uuid = ${proxy.uuid}`;
  const again = () => proxy.sendMail(row?.id ?? '');
  let second = await again();
  // One in a million is the same.
  if (second?.code === first?.code) second = await again();
  expect((await proxy.enterCode(first?.code ?? '', cookie)).status).toBe(401);
  expect((await proxy.enterCode(second?.code ?? '', cookie)).status).toBe(303);
});

it('after five wrong tries a code is void', async () => {
  const proxy = await newProxy();
  for (const [wrong, status] of [
    [4, 303],
    [5, 401],
  ] as const) {
    const { code, cookie } = await newCode(proxy);
    for (let guess = 0; guess < wrong; guess += 1)
      expect((await proxy.enterCode(wrongFor(code), cookie)).status).toBe(401);
    expect((await proxy.enterCode(code, cookie)).status).toBe(status);
  }
});

it('guesses of codes are counted like those of a PIN, and their budget spares the owner', async () => {
  const proxy = await newProxy({ methods: ['email', 'pin'], emails: [mara] });
  const { code, cookie } = await newCode(proxy);
  const guess = (address: string, tried = wrongFor(code)) =>
    proxy.enterCode(tried, '', { ...from(address), headers: { ...from(address).headers, cookie } });
  const statuses: number[] = [];
  for (let turn = 0; turn < 12; turn += 1) statuses.push((await guess('192.0.2.1')).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  // A PIN of the same visitor has no tries left either.
  expect((await proxy.tryPin(pin, from('192.0.2.1'))).status).toBe(429);
  for (let turn = 0; turn < 50; turn += 1) expect((await guess(`198.51.100.${turn}`)).status).toBe(401);
  const late = await newCode(proxy);
  const { status, body } = await proxy.enterCode(late.code, late.cookie);
  expect(status).toBe(429);
  expect(body).toContain('id="code"');
  expect((await proxy.visit({ headers: { cookie: (await proxy.signIn('owner')).cookie } })).status).toBe(200);
});

it('a right code takes nothing of the budget of guesses', async () => {
  const proxy = await newProxy();
  await proxy.passedByEmail(mara);
  const rows = await test.provider.proxiesSql`
    select tries from access_tries where proxy_uuid = ${proxy.uuid} and visitor not like 'mail%'`;
  expect(rows.map(({ tries }) => tries)).toEqual([0, 0]);
});

it('a visitor requests five codes in 15 minutes, all visitors of a proxy a hundred, listed or not', async () => {
  const proxy = await newProxy();
  const ask = async (email: string, address: string) => {
    const { answer } = await proxy.requestCode(email, from(address));
    return answer.status;
  };
  // One network of IPv6 is one visitor.
  const asked = [mara, nobody, mara, nobody, nobody, nobody, mara];
  const statuses = [];
  for (const [turn, email] of asked.entries()) statuses.push(await ask(email, `2001:db8::${turn + 1}`));
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429]);
  const { proxiesSql: sql } = test.provider;
  await sql`update access_tries set tries = 99 where proxy_uuid = ${proxy.uuid} and visitor = 'mail'`;
  expect(await ask(nobody, '192.0.2.1')).toBe(303);
  for (const email of [mara, nobody]) expect(await ask(email, '192.0.2.2')).toBe(429);
  // What was refused has ordered nothing, and takes no try of a PIN.
  expect(await sql`select 1 from access_email_codes where proxy_uuid = ${proxy.uuid}`).toHaveLength(6);
  expect(
    await sql`select 1 from access_tries where proxy_uuid = ${proxy.uuid} and visitor not like 'mail%'`,
  ).toEqual([]);
  await sql`
    update access_tries set since = now() - interval '16 minutes' where proxy_uuid = ${proxy.uuid}`;
  expect(await ask(mara, '192.0.2.2')).toBe(303);
});

it('an address gets three emails in 15 minutes until a code is entered, and the visitor sees no difference', async () => {
  const [proxy, next] = [await newProxy(), await newProxy()];
  const sql = test.provider.proxiesSql;
  const giveToOwner = async (of: Proxy) => {
    await sql`update proxies set user_id = ${proxy.owner} where uuid = ${of.uuid}`;
  };
  await giveToOwner(next);
  let visitors = 0;
  const ask = async (of: Proxy, email: string) => {
    visitors += 1;
    const { answer, cookie } = await of.requestCode(email, from(`192.0.2.${visitors}`));
    expect(answer.status).toBe(303);
    const [mail] = (await proxy.sendMails()).slice(-1);
    return mail ? { ...mail, cookie } : null;
  };
  expect([await ask(proxy, mara), await ask(proxy, mara)]).not.toContain(null);
  // Of all proxies of one owner together, whatever they save meanwhile.
  await proxy.set(byEmail);
  const third = await ask(next, mara);
  expect(third).not.toBeNull();
  expect(await ask(proxy, mara)).toBeNull();
  expect(await ask(proxy, ben)).not.toBeNull();
  expect((await next.enterCode(third?.code ?? '', third?.cookie ?? '')).status).toBe(303);
  expect(await ask(proxy, mara)).not.toBeNull();
  expect(await ask(proxy, mara)).toBeNull();
  await sql`update access_code_mails set sent_at = now() - interval '16 minutes' where owner_id = ${proxy.owner}`;
  const later = await newProxy();
  await giveToOwner(later);
  expect(await ask(later, mara)).not.toBeNull();
});

it('the proxies of one owner send sixty emails with codes in an hour', async () => {
  const proxy = await newProxy();
  const sql = test.provider.proxiesSql;
  await sql`
    insert into access_code_mails (code_id, owner_id, address_hash, sent_at)
    select gen_random_uuid(), ${proxy.owner}::bigint, sha256(one::text::bytea), now() - interval '50 minutes' from generate_series(1, 59) one`;
  await proxy.requestCode(mara);
  await proxy.requestCode(ben);
  const sent = await proxy.sendMails();
  expect(sent.map((mail) => mail?.address ?? null)).toEqual([mara, null]);
});

it('“all of” asks for the code and the PIN, in either order, and the visit keeps the address', async () => {
  for (const first of ['email', 'pin']) {
    const proxy = await test.newProxy({ methods: ['pin', 'email'], require: 'all', emails: [mara] });
    const { code, cookie } = await newCode(proxy);
    const byCode = (visit = '') => proxy.enterCode(code, `${cookie}; ${visit}`);
    const byPin = (visit = '') => proxy.tryPin(pin, { headers: { cookie: visit } });
    const begun = first === 'email' ? await byCode() : await byPin();
    expect(await opens(proxy, begun)).toBe(false);
    const page = await proxy.open('/', { cookie: cookieOf(begun) });
    expect([page.body.includes('id="email"'), page.body.includes('id="pin"')]).toEqual([
      first === 'pin',
      first === 'email',
    ]);
    const whole = first === 'email' ? await byPin(cookieOf(begun)) : await byCode(cookieOf(begun));
    expect(await opens(proxy, whole)).toBe(true);
    const [visit] = await test.provider.proxiesSql<{ methods: string[]; email: string }[]>`
      select methods, email from visits where proxy_uuid = ${proxy.uuid}`;
    expect([visit?.methods.toSorted(), visit?.email]).toEqual([['email', 'pin'], mara]);
  }
});

it('what is no address orders nothing, nor does a policy without codes; what other sites send does not count', async () => {
  const proxy = await newProxy();
  for (const email of ['', 'mara', 'mara@', 'a@b\r\nbcc: c@d', 'x'.repeat(250).concat('@example.com')]) {
    const { answer } = await proxy.requestCode(email);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
    expect(answer.body).toContain('aria-invalid="true"');
  }
  const evil = { headers: { origin: 'https://evil.test' } };
  const { code, cookie } = await newCode(proxy);
  expect((await proxy.requestCode(mara, evil)).answer.status).toBe(401);
  const foreign = await proxy.enterCode(code, cookie, evil);
  expect([foreign.status, cookieOf(foreign)]).toEqual([401, '']);
  expect(await proxy.sendMails()).toEqual([]);
  const other = await test.newProxy({ methods: ['pin'], emails: [mara] });
  expect((await other.requestCode(mara)).answer.status).toBe(401);
  expect(await other.sendMails()).toEqual([]);
});

it('the steps of a code take the methods that they have alone, and lead to no other host', async () => {
  const proxy = await newProxy();
  for (const [method, path] of [
    ['GET', '/.talpa/access/email'],
    ['HEAD', '/.talpa/access/email'],
    ['HEAD', '/.talpa/access/email-code'],
    ['PUT', '/.talpa/access/email-code'],
    ['DELETE', '/.talpa/access/email'],
  ] as const)
    expect((await proxy.visit({ method, path })).status).toBe(401);
  expect(await proxy.open('/.talpa/access/email-code')).toMatchObject({
    ...{ status: 303, headers: { location: '/' } },
  });
  for (const back of ['//evil.test', '/\\evil.test', 'https://evil.test', '/.talpa/access/sign-in']) {
    const { cookie } = await proxy.requestCode(mara, { back });
    const [mail] = (await proxy.sendMails()).slice(-1);
    const forged = `${cookie.split('.')[0]}.${Buffer.from(back).toString('base64url')}`;
    expect((await proxy.open('/.talpa/access/email-code', { cookie: forged })).body).toContain('href="/"');
    expect((await proxy.enterCode(mail?.code ?? '', forged)).headers.location).toBe('/');
  }
  expect(test.seen).toEqual([]);
});
