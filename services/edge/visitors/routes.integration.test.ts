import { randomUUID } from 'node:crypto';
import { useProvider } from '@talpa/test-kit/embedded-provider';
import { useStores } from '@talpa/test-kit/stores';
import { until } from '@talpa/test-kit/wait';
import { beforeAll, expect, it } from 'vitest';
import { createRoutes } from './routes.ts';

const stores = useStores();
const provider = useProvider(stores);
let find: ReturnType<typeof createRoutes>['find'];
let isKnown: ReturnType<typeof createRoutes>['isKnown'];
const account = '/client/v4/accounts/account1/cfd_tunnel';

beforeAll(() => {
  ({ find, isKnown } = createRoutes(provider.edgeSql));
});

/** A tunnel with a record and a configuration, made as the worker makes them. */
async function publish(label: string, ingress: object[], proxyId = randomUUID() as string) {
  const { body } = await provider.send('POST', account, { name: label, config_src: 'cloudflare' });
  const { id } = body.result as { id: string };
  await provider.send('PUT', `${account}/${id}/configurations`, { config: { ingress } });
  await point(label, id, proxyId);
  return id;
}

const point = (label: string, tunnelId: string, proxyId: string) =>
  provider.lead(`${label}.tunnel.localhost`, tunnelId, proxyId);

it('leads a name to the tunnel of its record, and a name without a record nowhere', async () => {
  const proxyId = randomUUID();
  const rules = [
    { hostname: 'one.tunnel.localhost', service: 'http://127.0.0.1:40120' },
    { service: 'http_status:404' },
  ];
  const id = await publish('one', rules, proxyId);
  expect(await find('one.tunnel.localhost')).toEqual({
    proxyId,
    tunnelId: id,
    suspended: false,
    requestLog: 'metadata',
  });
  expect(await find('none.tunnel.localhost')).toBeNull();
  expect(['one', 'none', 'never'].map((name) => isKnown(`${name}.tunnel.localhost`))).toEqual([
    true,
    false,
    false,
  ]);
});

it('follows a change within a moment: suspended, lifted, deleted', async () => {
  const name = 'two.tunnel.localhost';
  const open = [{ hostname: name, service: 'http://127.0.0.1:40120' }, { service: 'http_status:404' }];
  const id = await publish('two', open);
  const configure = (ingress: object[]) =>
    provider.send('PUT', `${account}/${id}/configurations`, { config: { ingress } });
  expect((await find(name))?.suspended).toBe(false);
  await configure([{ service: 'http_status:403' }]);
  await until('the suspension', async () => (await find(name))?.suspended === true);
  await configure(open);
  await until('its end', async () => (await find(name))?.suspended === false);
  await provider.send('DELETE', `${account}/${id}`);
  await until('the deletion', async () => (await find(name)) === null);
  expect(isKnown(name)).toBe(false);
});

it('a proxy’s policy is the gate of its names within a moment, and no other proxy’s', async () => {
  const [uuid, other] = [randomUUID(), randomUUID()];
  await publish('gated', [{ service: 'http://127.0.0.1:1' }], uuid);
  await publish('free', [{ service: 'http://127.0.0.1:1' }], other);
  const setPolicy = (policy: object) => provider.setPolicy(uuid, 'gated.tunnel.localhost', policy);
  const outcomeOf = async (name: string) => {
    const route = await find(`${name}.tunnel.localhost`);
    return route?.gate?.judge({ address: '192.0.2.1', path: '/' }).outcome ?? 'open';
  };
  expect(await outcomeOf('gated')).toBe('open');
  await setPolicy({ kind: 'rules', rules: [], otherwise: 'deny' });
  await until('the policy', async () => (await outcomeOf('gated')) === 'deny');
  await setPolicy({ kind: 'of a later version' });
  await until('another policy', async () => (await outcomeOf('gated')) === 'deny');
  expect(await outcomeOf('free')).toBe('open');
  // Whose a name is says its record, whatever the tunnel is called.
  const id = await publish('shared', [{ service: 'http://127.0.0.1:1' }], other);
  await point('shared-gated', id, uuid);
  expect([await outcomeOf('shared'), await outcomeOf('shared-gated')]).toEqual(['open', 'deny']);
});

it('asks the database once for many visitors at once, and goes on with what it knew while that is away', async () => {
  const name = 'three.tunnel.localhost';
  const id = await publish('three', [
    { hostname: name, service: 'http://127.0.0.1:1' },
    { service: 'http_status:404' },
  ]);
  let queries = 0;
  let isAway = true;
  const counting = new Proxy(provider.edgeSql, {
    apply: (target, self, args) => {
      queries += 1;
      return isAway ? Promise.reject(new Error('the database is away')) : Reflect.apply(target, self, args);
    },
  });
  const { find: findCounted, forget } = createRoutes(counting);
  await expect(findCounted(name)).rejects.toThrow('the database does not respond');
  isAway = false;
  await Promise.all(Array.from({ length: 100 }, () => findCounted(name)));
  expect(queries).toBe(3);
  isAway = true;
  forget();
  expect((await findCounted(name))?.tunnelId).toBe(id);
  expect(queries).toBe(4);
  // What has changed since is not known any more.
  forget(name);
  await expect(findCounted(name)).rejects.toThrow('the database does not respond');
});

it('while the database is away nobody is let in by a policy that may have changed', async () => {
  const uuid = randomUUID();
  const name = 'walled.tunnel.localhost';
  await publish('walled', [{ service: 'http://127.0.0.1:1' }], uuid);
  await provider.setPolicy(uuid, name, { kind: 'rules', rules: [], otherwise: 'allow' });
  let isAway = false;
  const failing = new Proxy(provider.edgeSql, {
    apply: (target, self, args) =>
      isAway ? Promise.reject(new Error('the database is away')) : Reflect.apply(target, self, args),
  });
  const { find: findFailing, forget } = createRoutes(failing);
  expect((await findFailing(name))?.gate).toBeDefined();
  isAway = true;
  forget();
  await expect(findFailing(name)).rejects.toThrow('the database does not respond');
});

it('a name that changes while it is looked for is not taken for what it was when the database then fails', async () => {
  const name = 'changing.tunnel.localhost';
  await publish('changing', [{ service: 'http://127.0.0.1:1' }]);
  let isAway = false;
  const failing = new Proxy(provider.edgeSql, {
    apply: (target, self, args) =>
      isAway ? Promise.reject(new Error('the database is away')) : Reflect.apply(target, self, args),
  });
  const { find: findFailing, forget } = createRoutes(failing);
  const looked = findFailing(name);
  forget(name);
  expect((await looked)?.tunnelId).toBeDefined();
  isAway = true;
  forget();
  await expect(findFailing(name)).rejects.toThrow('the database does not respond');
});

it('a flood of notifications costs little: all names are forgotten 20 000 times within a second of processor time', async () => {
  const routes = createRoutes(provider.edgeSql);
  await routes.find('none.tunnel.localhost');
  const before = process.cpuUsage();
  for (let count = 0; count < 20_000; count += 1) routes.forget();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
