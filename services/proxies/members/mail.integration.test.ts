import { randomUUID } from 'node:crypto';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeEach, expect, it } from 'vitest';

const server = await startMailServer();
afterAll(() => server.stop());
const publicUrl = 'https://panel.example.org';
const talpa = useServices(useStores(), ['auth', 'billing', 'proxies', 'notifications'], {
  ...{ MAIL_FROM: 'talpa@example.org', PUBLIC_URL: publicUrl, SMTP_URL: server.url },
});
const password = 'geheim-genug';
beforeEach(() => server.onEnd(() => 'accept'));

async function newUser() {
  const username = `u-${randomUUID().slice(0, 12)}`;
  const { id } = await talpa.call('POST /api/register', null, { username, password });
  return { id, username, actor: actorOf(id) };
}
/** A user with one proxy; no worker sets up its tunnel. */
async function newOwner() {
  const user = await newUser();
  await until(
    'the quota',
    async () =>
      (
        await talpa.sql`
    update proxies.users set tier = 'premium', proxy_limit = 10 where user_id = ${user.id} and username is not null
    returning 1`
      ).length > 0,
  );
  const [row] = await talpa.sql<{ id: number }[]>`
    insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${randomUUID()}, ${user.id}, 'Nordstadt', '127.0.0.1', 1, ${`${randomUUID()}.test`}, 443, 'inactive')
    returning id`;
  return { ...user, proxyId: row?.id ?? 0 };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;
const invite = async ({ actor, proxyId: id }: Owner, email: string) =>
  (await talpa.call('POST /api/tunnel-configs/:id/members', actor, { id, email, role: 'view' })).member;
const receivedBy = (address: string) => server.received.filter(({ recipient }) => recipient === address);
const tokensIn = (address: string) =>
  receivedBy(address).map(({ text }) => /\/join#([\w-]{43})/.exec(text ?? '')?.[1] ?? '');
const accept = async (token: string) =>
  talpa.call('POST /api/proxy-invitation-link/acceptance', (await newUser()).actor, { token });
const membersOf = async ({ actor, proxyId: id }: Owner) =>
  (await talpa.call('GET /api/tunnel-configs/:id/members', actor, { id })).members;

it('an address that is invited gets an email whose link makes one member, and is forgotten then', async () => {
  const owner = await newOwner();
  const address = `${randomUUID()}@example.com`;
  await invite(owner, address);
  await until('the email', () => receivedBy(address).length === 1);
  const [mail] = receivedBy(address);
  expect(mail?.subject).toBe('Einladung zu einem Proxy bei Talpa');
  expect(mail?.text).toContain(`${owner.username} lädt Sie ein`);
  expect(mail?.text).toContain(`${publicUrl}/join#`);
  expect(await membersOf(owner)).toMatchObject([{ email: address, userId: null }]);
  const [token = ''] = tokensIn(address);
  await accept(token);
  expect(await membersOf(owner)).toMatchObject([{ email: null, userId: expect.any(Number) }]);
  expect(
    await talpa.sql`
      select email, invited_until, invited_key from proxies.members where proxy_id = ${owner.proxyId}`,
  ).toEqual([{ email: null, invitedUntil: null, invitedKey: null }]);
  await expect(accept(token)).rejects.toMatchObject({ code: 'invitation_link_invalid' });
  const stored = await talpa.sql`select subject, payload from proxies.outbox`;
  expect(JSON.stringify(stored)).not.toContain(address);
});

it('an address gets five invitations a day, from all accounts together, and no text of theirs in a subject', async () => {
  const name = `${randomUUID().slice(0, 8)}`;
  const owners = [await newOwner(), await newOwner()];
  await talpa.sql`update proxies.proxies set server_name = 'Konto gesperrt! https://b.example'
    where id in ${talpa.sql(owners.map(({ proxyId }) => proxyId))}`;
  // One mailbox, however it is written.
  const variants = [0, 1, 2, 3].map((turn) => `${turn % 2 ? name : name.toUpperCase()}+${turn}@example.com`);
  for (const owner of owners) for (const address of variants) await invite(owner, address);
  const states = await until('all are done', async () => {
    const rows = await talpa.sql<{ state: string }[]>`
      select state from notifications.mails where user_id in ${talpa.sql(owners.map(({ id }) => id))}`;
    return rows.length === 8 && rows.every(({ state }) => !['queued', 'sending'].includes(state)) && rows;
  });
  expect(states.filter(({ state }) => state === 'sent')).toHaveLength(5);
  expect(states.filter(({ state }) => state === 'refused')).toHaveLength(3);
  const received = variants.flatMap(receivedBy);
  expect(received).toHaveLength(5);
  for (const { subject } of received) expect(subject).toBe('Einladung zu einem Proxy bei Talpa');
});

it('after an attempt whose end nobody knows, the link of either email opens the invitation', async () => {
  const owner = await newOwner();
  const address = `${randomUUID()}@example.com`;
  server.onEnd(() => 'drop');
  await invite(owner, address);
  await until('the first email', () => receivedBy(address).length === 1);
  server.onEnd(() => 'accept');
  await until('the second email', async () => {
    await talpa.sql`
      update notifications.mails set due_at = now() where user_id = ${owner.id} and state = 'queued'`;
    return receivedBy(address).length === 2;
  });
  const [first = '', second = ''] = tokensIn(address);
  expect(first).not.toBe(second);
  await accept(first);
  await expect(accept(second)).rejects.toMatchObject({ code: 'invitation_link_invalid' });
});

it('an invitation that is withdrawn before its email is sent sends none', async () => {
  const owner = await newOwner();
  const address = `${randomUUID()}@example.com`;
  server.onEnd(() => 451);
  const { id: memberId } = await invite(owner, address);
  await until('the first attempt', () => receivedBy(address).length === 1);
  server.onEnd(() => 'accept');
  const about = { id: owner.proxyId, memberId };
  await talpa.call('DELETE /api/tunnel-configs/:id/members/:memberId', owner.actor, about);
  await until('the end of the email', async () => {
    await talpa.sql`
      update notifications.mails set due_at = now() where user_id = ${owner.id} and state = 'queued'`;
    return (await talpa.sql`select 1 from notifications.mails where user_id = ${owner.id}`).length === 0;
  });
  expect(receivedBy(address)).toHaveLength(1);
});
