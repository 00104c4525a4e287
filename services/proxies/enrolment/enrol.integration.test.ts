import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { enrolmentKeysPerProxy, enrolmentKeysPerUser, type RequestOf, type Routes } from '@talpa/contracts';
import { rpcSubjects } from '@talpa/service-kit/bus/subjects';
import { hostOf, useOwners } from '@talpa/test-kit/proxy-owners';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, expect, it } from 'vitest';

const talpa = useServices(useStores(), ['billing', 'proxies'], { PUBLIC_URL: 'https://panel.example.com' });
const { newUser, outcomes, uuidOf } = useOwners(talpa);
type Owner = Awaited<ReturnType<typeof newUser>>;
type KeyInput = Omit<RequestOf<Routes['POST /api/enrolment-keys']>, 'name'>;
type Enrolled = RequestOf<Routes['POST /api/enrol']>;

/** The test plays the worker, which asks the provider for tokens. */
beforeAll(async () => {
  const nc = await talpa.connectionOf('tunnel-worker');
  nc.subscribe(rpcSubjects('tunnel-worker.getTunnelToken'), {
    callback: (_error, message) => {
      const { tunnelId } = message.json<{ input: { tunnelId: string } }>().input;
      message.respond(JSON.stringify({ token: `token of ${tunnelId}` }));
    },
  });
  await nc.flush();
});

const keyOf = ({ actor }: Pick<Owner, 'actor'>, input: KeyInput = {}) =>
  talpa.call('POST /api/enrolment-keys', actor, { name: 'Befehl', ...input });
const newMachine = () => randomBytes(32).toString('hex');
const enrolled = (key: string, more: Partial<Enrolled> = {}) =>
  talpa.call('POST /api/enrol', null, {
    ...{ key, machine: newMachine(), name: 'Rust Hauptserver', panel: 'txAdmin' },
    ...more,
  });
/** The same where it gets a proxy. */
const enrol = async (...of: Parameters<typeof enrolled>) => {
  const { proxyId, ...given } = await enrolled(...of);
  if (proxyId === null) throw new Error('there is no proxy');
  return { proxyId, ...given };
};
const usesOf = async (owner: Owner) => {
  const keys = await talpa.call('GET /api/enrolment-keys', owner.actor, {});
  return keys.map(({ used, uses }) => `${used}/${uses}`);
};
/** The proxies of the machines that the newest key has connected. */
const connectedBy = async (owner: Owner) =>
  (await talpa.call('GET /api/enrolment-keys', owner.actor, {}))[0]?.connected;

it('a machine with a key gets a protected proxy, its connector’s token and its address; the same machine the same again', async () => {
  const owner = await newUser();
  const { key, enrolmentKey } = await keyOf(owner);
  expect(key).toMatch(/^talpa_ek_[\w-]{32}$/);
  const machine = newMachine();
  const name = `Server ${owner.userId}`;
  const first = await enrol(key, { machine, name });
  const proxy = await owner.get(first.proxyId);
  expect(proxy).toMatchObject({
    ...{ serverName: name, serverIP: '127.0.0.1', adminPort: 40_120, panel: 'txAdmin' },
    ...{ cfDomain: hostOf(`server-${owner.userId}`), ownerName: `max${owner.userId}` },
  });
  expect(first).toEqual({
    ...{ proxyId: proxy.id, serverId: proxy.serverId },
    url: `http://${proxy.cfDomain}:8081`,
    target: 'http://127.0.0.1:40120',
    connected: false,
    takenPorts: [40_120],
    token: `token of ${proxy.cfTunnelId}`,
  });
  const access = await talpa.call('GET /api/tunnel-configs/:id/access', owner.actor, { id: proxy.id });
  expect(access.policy).toMatchObject({ kind: 'wall', methods: ['member'] });
  expect(await enrol(key, { machine, name: 'Anders', panel: undefined })).toEqual(first);
  expect([await usesOf(owner), await connectedBy(owner)]).toEqual([['1/1'], [proxy.id]]);
  await expect(enrol(key)).rejects.toThrow('enrolment_key_used');
  // What was deleted is made anew, for the machine whose use it was.
  await owner.remove(proxy.id);
  expect(await connectedBy(owner)).toEqual([]);
  const again = await enrol(key, { machine, name });
  expect(again.proxyId).not.toBe(first.proxyId);
  expect([await usesOf(owner), await connectedBy(owner)]).toEqual([['1/1'], [again.proxyId]]);

  const stored = await talpa.sql`select * from proxies.enrolment_keys where id = ${enrolmentKey.id}`;
  expect(stored[0]?.keyHash).toEqual(createHash('sha256').update(key).digest());
  const by = { userId: owner.userId, isAdmin: false, sessionId: null };
  const [made] = await owner.audited('proxy.create');
  const [used] = await owner.audited('enrolmentKey.use');
  expect([made?.actor, used?.actor]).toEqual([by, by]);
  expect(used).toMatchObject({
    target: { kind: 'enrolmentKey', label: 'Befehl' },
    changes: { proxy: { to: name } },
  });
  for (const one of [stored, made, used, enrolmentKey]) expect(JSON.stringify(one)).not.toContain(key);
});

it('keys go when all sessions of their user end, and those stay that were made since', async () => {
  const owner = await newUser(3);
  const [before, others] = [await keyOf(owner), await keyOf(await newUser())];
  const { userId } = owner;
  const end = (sessionId: string | null, at = new Date()) =>
    talpa.publishStored('command.proxies.endVisits', {
      ...{ userId, sessionId, except: null, at: at.toISOString() },
    });
  await end(randomUUID());
  await end(null, new Date(Date.now() - 3_600_000));
  expect(await enrol(before.key)).toMatchObject({ connected: false });
  await end(null);
  await until('the keys to go', async () => (await usesOf(owner)).length === 0);
  await expect(enrol(before.key)).rejects.toThrow('enrolment_key_invalid');
  expect(await enrol(others.key)).toMatchObject({ connected: false });
});

it('fifty machines at once connect as many as the key and the plan let them', async () => {
  const owner = await newUser(3);
  const attempt = async (uses: number) => {
    const { key } = await keyOf(owner, { uses });
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => enrol(key)));
    const made = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = all.flatMap((one) =>
      one.status === 'rejected' ? [`${(one.reason as Error).message}`] : [],
    );
    return { made, refused: [...new Set(refused)] };
  };
  const one = await attempt(1);
  expect([one.made.length, one.refused]).toEqual([1, ['enrolment_key_used']]);
  const { made, refused } = await attempt(100);
  expect([made.length, refused]).toEqual([2, ['proxy_limit_reached']]);
  // Machines of one name get names of their own.
  expect(new Set([...one.made, ...made].map(({ url }) => url)).size).toBe(3);
  expect(await owner.may()).toMatchObject({ current: 3 });
  expect(await usesOf(owner)).toEqual(['2/100', '1/1']);
});

it('a name that is taken, reserved or no subdomain is followed by something made up', async () => {
  const [other, owner] = [await newUser(), await newUser()];
  await other.create({ customUrl: `belegt-${owner.userId}` });
  const { key } = await keyOf(owner, { uses: 3 });
  for (const [name, label] of [
    [`belegt ${owner.userId}`, `belegt-${owner.userId}-`],
    ['nobody-else', 'nobody-else-'],
    ['日本', 'server-'],
  ] as const) {
    const { proxyId } = await enrol(key, { name });
    expect(await owner.get(proxyId)).toMatchObject({
      serverName: name,
      cfDomain: expect.stringContaining(label),
    });
  }
});

it('a key without a panel needs one from the machine, and a machine without a panel one from the key', async () => {
  const owner = await newUser();
  const { key } = await keyOf(owner, { uses: 3 });
  for (const found of [{ panel: undefined }, { panel: 'own' as const }])
    await expect(enrol(key, found)).rejects.toThrow('enrolment_panel_missing');
  const elsewhere = { panel: undefined, port: 3000, address: '192.0.2.7' };
  expect(await enrol(key, elsewhere)).toMatchObject({ target: 'http://192.0.2.7:3000' });
  const six = await enrol(key, { ...elsewhere, address: '2001:db8::7' });
  expect(six.target).toBe('http://[2001:db8::7]:3000');
  expect(await usesOf(owner)).toEqual(['2/3']);
  const crafty = await keyOf(owner, { panel: 'crafty' });
  const { proxyId, target } = await enrol(crafty.key, { panel: undefined });
  expect(target).toBe('https://127.0.0.1:8443');
  expect(await owner.get(proxyId)).toMatchObject({ panel: 'crafty', verifyCertificate: false });
});

it('a key of a proxy gives the token of its connector and makes nothing', async () => {
  const owner = await newUser();
  const { proxy } = await owner.create();
  const { key, enrolmentKey } = await keyOf(owner, { proxyId: proxy.id, uses: 2 });
  expect(enrolmentKey).toMatchObject({ proxyId: proxy.id, uses: 2, used: 0 });
  for (const machine of [newMachine(), newMachine()])
    expect(await enrol(key, { machine, panel: undefined })).toMatchObject({
      ...{ proxyId: proxy.id, token: `token of ${proxy.cfTunnelId}` },
    });
  await expect(enrol(key)).rejects.toThrow('enrolment_key_used');
  expect(await owner.may()).toMatchObject({ current: 1 });
  await owner.remove(proxy.id);
  await expect(enrol(key)).rejects.toThrow('enrolment_key_invalid');
  expect(await usesOf(owner)).toEqual([]);
});

it('a key of a server installs its connector, though it has no proxy', async () => {
  const [owner, other] = [await newUser(), await newUser()];
  const { proxy: last } = await owner.create();
  const { serverId } = last;
  // With a name it stays without its last proxy.
  await talpa.call('PUT /api/servers/:id', owner.actor, { id: serverId, name: 'Leer' });
  await owner.remove(last.id);
  await expect(keyOf(other, { serverId })).rejects.toThrow('not_found');
  const { key, enrolmentKey } = await keyOf(owner, { serverId });
  expect(enrolmentKey).toMatchObject({ proxyId: null, serverId });
  const machine = newMachine();
  const bare = { machine, panel: undefined };
  const empty = await enrolled(key, bare);
  expect(empty).toMatchObject({ serverId, proxyId: null, url: null, target: null, takenPorts: [] });
  expect(await enrolled(key, bare)).toEqual(empty);
  expect(await owner.may()).toMatchObject({ current: 0 });
  expect(await usesOf(owner)).toEqual(['1/1']);
  await expect(enrolled(key, { panel: undefined })).rejects.toThrow('enrolment_key_used');
  const administrator = { actor: actorOf((await newUser()).userId, { isAdmin: true }) };
  const theirs = await keyOf(administrator, { serverId, uses: 9 });
  expect(await enrolled(theirs.key, { panel: undefined })).toMatchObject({ serverId, takenPorts: null });
  await expect(enrolled(theirs.key, { port: 99 })).rejects.toThrow('enrolment_key_invalid');
  await talpa.call('DELETE /api/servers/:id', owner.actor, { id: serverId });
  await expect(enrolled(key, bare)).rejects.toThrow('enrolment_key_invalid');
});

it('a key opens no longer than its maker may read the token', async () => {
  const owner = await newUser();
  const { proxy } = await owner.create();
  const [member, administrator] = [await newUser(), await newUser()];
  await member.account({});
  const setRole = (role: string) => talpa.sql`
    update proxies.members set role = ${role} where proxy_id = ${proxy.id} and user_id = ${member.userId}`;
  await talpa.sql`
    insert into proxies.members (proxy_id, user_id, role, joined_at) values (${proxy.id}, ${member.userId}, 'view', now())`;
  const proxyId = proxy.id;
  await expect(keyOf(member, { proxyId })).rejects.toThrow('role_missing');
  await expect(keyOf(await newUser(), { proxyId })).rejects.toThrow('not_found');
  await setRole('operate');
  const { key } = await keyOf(member, { proxyId });
  await setRole('view');
  await expect(enrol(key)).rejects.toThrow('enrolment_key_invalid');
  await setRole('operate');
  expect(await enrol(key)).toMatchObject({ proxyId });

  const acting = { actor: actorOf(administrator.userId, { isAdmin: true }) };
  const ofAdministrator = await keyOf(acting, { proxyId, uses: 9 });
  expect(await enrol(ofAdministrator.key)).toMatchObject({ proxyId });
  await administrator.account({ version: 2, isAdmin: false });
  await expect(enrol(ofAdministrator.key)).rejects.toThrow('enrolment_key_invalid');

  const own = await keyOf(owner, { proxyId, uses: 9 });
  await owner.account({ version: 2, suspension: { since: new Date().toISOString(), reason: 'Test' } });
  await expect(enrol(own.key)).rejects.toThrow('enrolment_key_invalid');
  await member.account({ version: 3, deleted: true });
  expect(await talpa.sql`select 1 from proxies.enrolment_keys where user_id = ${member.userId}`).toEqual([]);
});

it('a key ends by itself, when it is revoked, and for its own user alone; so many there are at once', async () => {
  const [owner, other] = [await newUser(), await newUser()];
  const { key, enrolmentKey } = await keyOf(owner, { minutes: 5 });
  expect(Date.parse(enrolmentKey.expiresAt) - Date.now()).toBeLessThanOrEqual(300_000);
  const revoke = (who: Owner) =>
    talpa.call('DELETE /api/enrolment-keys/:id', who.actor, { id: enrolmentKey.id });
  await expect(revoke(other)).rejects.toThrow('not_found');
  await revoke(owner);
  await expect(enrol(key)).rejects.toThrow('enrolment_key_invalid');
  const late = await keyOf(owner);
  await talpa.sql`update proxies.enrolment_keys set expires_at = now() where id = ${late.enrolmentKey.id}`;
  await expect(enrol(late.key)).rejects.toThrow('enrolment_key_invalid');
  // Of commands that nobody has run the oldest give way: one is shown whenever a page is opened.
  const oldest = await keyOf(owner);
  for (let made = 0; made < enrolmentKeysPerProxy; made += 1) await keyOf(owner);
  expect(await usesOf(owner)).toHaveLength(enrolmentKeysPerProxy);
  await expect(enrol(oldest.key)).rejects.toThrow('enrolment_key_invalid');
  await talpa.sql`delete from proxies.enrolment_keys where user_id = ${owner.userId}`;
  for (let made = 0; made < enrolmentKeysPerUser; made += 1) await keyOf(owner, { uses: 2 });
  await expect(keyOf(owner)).rejects.toThrow('enrolment_key_limit');
  expect(await usesOf(owner)).toHaveLength(enrolmentKeysPerUser);
  // Of a proxy's the oldest give way, and those of others stay.
  const { proxy } = await owner.create();
  const first = await keyOf(owner, { proxyId: proxy.id, uses: 9 });
  expect(await enrol(first.key)).toMatchObject({ proxyId: proxy.id });
  for (let made = 0; made < enrolmentKeysPerProxy; made += 1) await keyOf(owner, { proxyId: proxy.id });
  await expect(enrol(first.key)).rejects.toThrow('enrolment_key_invalid');
  expect(await usesOf(owner)).toHaveLength(enrolmentKeysPerUser + enrolmentKeysPerProxy);
  expect(await usesOf(other)).toEqual([]);
});

it('what the provider refuses is gone, and the same machine may try again', async () => {
  const owner = await newUser();
  const { key } = await keyOf(owner);
  const machine = newMachine();
  const name = `nein ${owner.userId}`;
  outcomes.set(hostOf(`nein-${owner.userId}`), { kind: 'refused', reason: 'zone_full' });
  await expect(enrol(key, { machine, name })).rejects.toThrow(/zone_full|tunnel_refused/);
  expect(await owner.may()).toMatchObject({ current: 0 });
  outcomes.clear();
  const { proxyId } = await enrol(key, { machine, name });
  expect(await uuidOf(proxyId)).not.toBe('');
});
