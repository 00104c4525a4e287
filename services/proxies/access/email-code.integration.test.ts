import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { AccessPolicy, WallMethod } from '@talpa/contracts';
import { userChangedSubject } from '@talpa/service-kit/bus/subjects';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, expect, it } from 'vitest';

const server = await startMailServer();
afterAll(() => server.stop());
const services = ['auth', 'proxies', 'notifications'] as const;
const mailing = { MAIL_FROM: 'talpa@example.org', PUBLIC_URL: 'https://panel.example.org' };
const talpa = useServices(useStores(), services, { ...mailing, SMTP_URL: server.url });
const unset = useServices(useStores(), services, mailing);
const without = useServices(useStores(), ['proxies']);
const admin = actorOf(1, { isAdmin: true });
beforeEach(() => server.onEnd(() => 'accept'));
let users = 100;

const wall = (emails: string[], methods: WallMethod[] = ['email']): AccessPolicy => ({
  ...{ kind: 'wall', methods, require: 'any', rules: [], days: 7, emails, preflights: false },
});

/** A proxy, its owner's hands, and what the edge asks the database. */
async function newProxy(on: typeof talpa = talpa) {
  users += 1;
  const actor = actorOf(users);
  const uuid = randomUUID();
  const host = `${uuid.slice(0, 8)}.tunnel.localhost`;
  const [row] = await on.sql<{ id: number }[]>`
    insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, ${users}, 'Server', '127.0.0.1', 1, ${host}, 80, 'active') returning id`;
  const id = row?.id ?? 0;
  const set = (policy: AccessPolicy, expected?: AccessPolicy) =>
    on.call('PUT /api/tunnel-configs/:id/access', actor, { id, policy, expected, pin: '493817' });
  return {
    ...{ actor, id, uuid, host, set },
    get: (who = actor) => on.call('GET /api/tunnel-configs/:id/access', who, { id }),
    request: async (address: string, language = 'de') => {
      const [asked] = await on.sql<{ wait: number | null }[]>`
        select proxies.request_access_email(${uuid}, version, ${address}, ${host}, ${randomBytes(32)}, ${language},
          '192.0.2.1', 5, 100) as wait
        from proxies.access_policies where proxy_uuid = ${uuid}`;
      expect(asked?.wait).toBe(0);
    },
    mails: () => on.call('GET /api/admin/mails', admin, { userId: actor.userId }),
    /** Lets the time pass until the next attempt. */
    skipTime: () => on.sql`
      update notifications.mails set due_at = now() where user_id = ${actor.userId} and state = 'queued'`,
  };
}
const emailsOf = ({ policy }: { policy: AccessPolicy }) => policy.kind === 'wall' && policy.emails;
const receivedBy = (address: string) => server.received.filter(({ recipient }) => recipient === address);
const newAddress = () => `${randomUUID()}@example.com`;

it('listed addresses are stored in lower case, each once; an empty list and what is no address are refused', async () => {
  const { set, get } = await newProxy();
  await set(wall([' Mara@Example.COM ', 'mara@example.com', 'ben@example.com']));
  const stored = ['mara@example.com', 'ben@example.com'];
  expect(emailsOf(await get())).toEqual(stored);
  await expect(set(wall([]))).rejects.toMatchObject({
    issues: [{ path: ['policy', 'emails'], key: 'wallEmails' }],
  });
  await expect(set(wall(['mara@']))).rejects.toThrow();
  expect(emailsOf(await get())).toEqual(stored);
  // Somebody else has changed the list meanwhile.
  await set(wall(['ben@example.com']), wall(stored));
  await expect(set(wall(['eve@example.com']), wall(stored))).rejects.toThrow('edit_conflict');
  // A policy of before there was a list.
  await set(wall([], ['pin']));
  expect(emailsOf(await get())).toEqual([]);
});

it('codes by email are refused where the installation sends no emails', async () => {
  const { set, get } = await newProxy(without);
  await expect(set(wall(['mara@example.com']))).rejects.toThrow('access_email_unavailable');
  expect(await get()).toMatchObject({ policy: { kind: 'open' }, email: false });
  expect(await (await newProxy()).get()).toMatchObject({ email: true });
});

it('listed addresses are for those who manage the proxy: no other member, event or audit row has them', async () => {
  const { set, get, id, uuid, actor } = await newProxy();
  await set(wall(['mara@example.com', 'ben@example.com']));
  await set(wall(['mara@example.com', 'eve@example.com']));
  const rows = await talpa.audited('proxies', actor.userId, 'proxy.setAccess');
  expect(rows.map(({ changes }) => changes.emails)).toEqual([{ from: null, to: 2 }, {}]);
  expect(JSON.stringify(rows)).not.toContain('@');
  expect(JSON.stringify(talpa.received(`event.proxy.${uuid}`))).not.toContain('@example.com');
  for (const [role, sees] of [
    ['view', []],
    ['operate', []],
    ['manage', ['mara@example.com', 'eve@example.com']],
  ] as const) {
    users += 1;
    await talpa.sql`insert into proxies.users (user_id) values (${users}) on conflict do nothing`;
    await talpa.sql`
      insert into proxies.members (proxy_id, user_id, role, joined_at) values (${id}, ${users}, ${role}, now())`;
    const shown = await get(actorOf(users));
    expect(emailsOf(shown)).toEqual(sees);
    expect(shown.policy).toMatchObject({ methods: ['email'] });
  }
});

it('listed addresses are in the owner’s export and go with the proxy, and so does what was requested', async () => {
  const { set, uuid, actor, request } = await newProxy();
  await set(wall(['mara@example.com']));
  await request('nobody@example.com');
  const part = await talpa.ask('proxies.exportUser', { userId: actor.userId, after: null });
  expect(part.proxies[0]?.access).toMatchObject({ emails: ['mara@example.com'] });
  await talpa.sql`delete from proxies.proxies where uuid = ${uuid}`;
  for (const table of ['access_policies', 'access_email_codes'])
    expect(await talpa.sql`select 1 from proxies.${talpa.sql(table)} where proxy_uuid = ${uuid}`).toEqual([]);
});

it('the visit of somebody who entered a code is listed and exported with their address', async () => {
  const { set, id, uuid, actor } = await newProxy();
  await set(wall(['mara@example.com']));
  await talpa.sql`
    insert into proxies.visits (proxy_uuid, token_hash, policy_version, methods, email, address, user_agent, expires_at)
    select proxy_uuid, ${randomBytes(32)}, version, '{email}', 'mara@example.com', '192.0.2.1', 'test', now() + interval '1 day'
    from proxies.access_policies where proxy_uuid = ${uuid}`;
  const { visits } = await talpa.call('GET /api/tunnel-configs/:id/visits', actor, { id });
  expect(visits).toMatchObject([{ methods: ['email'], email: 'mara@example.com', userId: null }]);
  const part = await talpa.ask('proxies.exportUser', { userId: actor.userId, after: null });
  expect(part.proxies[0]?.visits).toEqual(visits);
  await talpa.call('DELETE /api/tunnel-configs/:id/visits', actor, { id });
  const rows = await talpa.audited('proxies', actor.userId, 'proxy.endAllVisits');
  expect(JSON.stringify(rows)).not.toContain('@');
});

it('ending all visits voids codes that are under way', async () => {
  const { set, id, uuid, actor, request } = await newProxy();
  await set(wall(['mara@example.com']));
  await request('nobody@example.com');
  await talpa.call('DELETE /api/tunnel-configs/:id/visits', actor, { id });
  expect(await talpa.sql`select 1 from proxies.access_email_codes where proxy_uuid = ${uuid}`).toEqual([]);
});

it('a listed address gets the code in the visitor’s language, and neither bus nor email log has code or address', async () => {
  const { set, uuid, request, mails } = await newProxy();
  const addresses = { de: newAddress(), en: newAddress() };
  await set(wall(Object.values(addresses)));
  const codes = [];
  for (const [language, subject, greeting] of [
    ['de', 'Ihr Code von Talpa', 'Guten Tag,'],
    ['en', 'Your code from Talpa', 'Hi,'],
  ] as const) {
    await request(addresses[language], language);
    await until('the email', () => receivedBy(addresses[language]).length === 1);
    const [mail] = receivedBy(addresses[language]);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text).toContain(greeting);
    const [, code = ''] = /^(\d{6})$/m.exec(mail?.text ?? '') ?? [];
    expect(mail?.html).toContain(`<p>${code}</p>`);
    codes.push(code);
  }
  // Of the code nothing but a hash is stored, which holds only together with the browser's secret.
  const stored = await talpa.sql<{ stateHash: Buffer; codeHash: Buffer }[]>`
    select state_hash, code_hash from proxies.access_email_codes where proxy_uuid = ${uuid} order by expires_at`;
  expect(stored.map(({ codeHash }) => codeHash.toString('hex'))).toEqual(
    codes.map((code, turn) =>
      createHash('sha256')
        .update(stored[turn]?.stateHash ?? '')
        .update(code)
        .digest('hex'),
    ),
  );
  const log = await until('the log', async () => {
    const found = await mails();
    return found.every(({ state }) => state === 'sent') && found;
  });
  const rows = await talpa.sql`select * from notifications.mails where kind = 'access_code'`;
  const orders = talpa.received<{ mail: object }>('command.notifications.sendAccessCode');
  expect(orders.at(-1)?.mail).toEqual({ kind: 'access_code', params: {} });
  const left = await talpa.sql`select payload from proxies.outbox`;
  const details = await talpa.call('GET /api/admin/mails/:id', admin, { id: log[0]?.id ?? 0 });
  expect(details.content).toBeNull();
  const said = JSON.stringify([log, rows, orders, left, details]);
  for (const secret of [...codes.map((code) => `"${code}`), ...Object.values(addresses)])
    expect(said).not.toContain(secret);
});

it('an address that is not listed, or no longer when the email is to be sent, gets none, and none is logged', async () => {
  const { set, actor, request, mails, skipTime } = await newProxy();
  const [listed, other] = [newAddress(), newAddress()];
  await set(wall([listed]));
  await request(other);
  await until(
    'the order',
    () => talpa.received(userChangedSubject('notifications', actor.userId)).length > 0,
  );
  await until('the end of the email', async () => (await mails()).length === 0);
  server.onEnd(() => 451);
  await request(listed);
  await until('the first attempt', () => receivedBy(listed).length === 1);
  server.onEnd(() => 'accept');
  await set(wall([other]));
  await until('the end of the email', async () => {
    await skipTime();
    return (await mails()).length === 0;
  });
  expect([receivedBy(listed).length, receivedBy(other).length]).toEqual([1, 0]);
});

it('another attempt makes another code in another email, which no server takes for the first one', async () => {
  const { set, request, mails, skipTime } = await newProxy();
  const address = newAddress();
  await set(wall([address]));
  // It has arrived; the answer is lost.
  server.onEnd(() => 'drop');
  await request(address);
  await until('the first attempt', () => receivedBy(address).length === 1);
  server.onEnd(() => 'accept');
  await until('the next attempt', async () => {
    await skipTime();
    return (await mails())[0]?.state === 'sent';
  });
  const ids = receivedBy(address).map(({ messageId }) => messageId);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

it('an email whose sending takes longer than its request counts is dropped', async () => {
  const { set, uuid, request, mails, skipTime } = await newProxy();
  const address = newAddress();
  await set(wall([address]));
  server.onEnd(() => 451);
  await request(address);
  await until('the first attempt', () => receivedBy(address).length === 1);
  server.onEnd(() => 'accept');
  await talpa.sql`
    update proxies.access_email_codes set counts_until = now() + interval '10 minutes' where proxy_uuid = ${uuid}`;
  await until('the end of the email', async () => {
    await skipTime();
    return (await mails()).length === 0;
  });
  expect(receivedBy(address)).toHaveLength(1);
});

it('where SMTP_URL is missing, an email with a code is dropped, so that no administrator reads the code', async () => {
  const { set, uuid, actor, request, mails } = await newProxy(unset);
  await set(wall(['mara@example.com']));
  await request('mara@example.com');
  await until(
    'the order',
    () => unset.received(userChangedSubject('notifications', actor.userId)).length > 0,
  );
  await until('the end of the email', async () => (await mails()).length === 0);
  const [row] = await unset.sql<{ codeHash: Buffer | null }[]>`
    select code_hash from proxies.access_email_codes where proxy_uuid = ${uuid}`;
  expect(row?.codeHash).toBeNull();
});
