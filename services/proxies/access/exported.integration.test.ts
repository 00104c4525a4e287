import { randomBytes, randomUUID } from 'node:crypto';
import { exportedProxy, mostListedVisits } from '@talpa/contracts';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import { exportUser } from '../proxies/export.ts';

const verbs = useVerbs(useStores(), 'proxies', { withEdge: true });
let users = 0;

/** A user with a proxy behind a wall with a PIN and a password, of which one is enough or both are needed. */
async function newOwner(require: 'any' | 'all' = 'any') {
  users += 1;
  const userId = users;
  const uuid = randomUUID();
  const { sql } = verbs;
  await sql`insert into users (user_id, tier, proxy_limit, username) values (${userId}, 'basic', 5, ${`u${userId}`})`;
  await sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, ${userId}, 'Server', '203.0.113.7', 1, ${`p${userId}.tunnel.localhost`}, 443, 'active')`;
  const wall = { kind: 'wall', rules: [], require, methods: ['pin', 'password'], days: 7 };
  await sql`insert into access_policies (proxy_uuid, policy) values (${uuid}, ${sql.json(wall)})`;
  return {
    userId,
    token: (name: string) => sql`
      insert into service_tokens (proxy_uuid, name, token_hash) values (${uuid}, ${name}, ${randomBytes(32)})`,
    visit: (methods: string[], { user = null as number | null, age = 0, lasts = 60 } = {}) => sql`
      insert into visits
        (proxy_uuid, token_hash, policy_version, methods, user_id, address, user_agent, created_at, expires_at)
      values (${uuid}, ${randomBytes(32)}, 1, ${methods}, ${user}, '198.51.100.77', 'curl/8.5',
        now() - make_interval(secs => ${age}), now() + make_interval(secs => ${lasts}))`,
    exported: async () => {
      const response = await exportUser({ ...verbs.call(null), settings: {} } as never, {
        userId,
        after: null,
      });
      return response.proxies.map((one) =>
        exportedProxy.pick({ serviceTokens: true, visits: true }).parse(one),
      );
    },
  };
}

it('a user’s export has the service tokens of their proxies without secrets, and the visits without whole addresses', async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  await owner.token('Backup');
  await owner.token('Bot');
  await other.token('Not theirs');
  await owner.visit(['pin'], { age: 10 });
  await owner.visit(['owner'], { user: other.userId });
  await other.visit(['pin']);
  const exported = await owner.exported();
  expect(exported).toMatchObject([
    {
      serviceTokens: [{ name: 'Backup', expiresAt: null }, { name: 'Bot' }],
      visits: [
        { methods: ['owner'], username: `u${other.userId}`, network: '198.51.100.0/24' },
        { methods: ['pin'], userId: null, username: null },
      ],
    },
  ]);
  const text = JSON.stringify(exported);
  for (const [table, column] of [
    ['service_tokens', 'token_hash'],
    ['visits', 'token_hash'],
  ] as const)
    for (const { hash } of await verbs.sql<{ hash: Buffer }[]>`
      select ${verbs.sql(column)} as hash from ${verbs.sql(table)}`)
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(text).not.toContain(hash.toString(encoding));
  expect(text).not.toContain('198.51.100.77');
});

it('a user’s export has no visit that has ended or has not passed the whole wall, and the newest of many', async () => {
  const [partly, many] = [await newOwner('all'), await newOwner()];
  await partly.visit(['pin']);
  await partly.visit(['pin', 'password']);
  await partly.visit(['owner'], { lasts: -1 });
  expect(await partly.exported()).toMatchObject([{ visits: [{ methods: ['pin', 'password'] }] }]);
  for (let age = 0; age <= mostListedVisits; age += 1)
    await many.visit([age === mostListedVisits ? 'password' : 'pin'], { age: 1_000 + age });
  const [{ visits } = { visits: [] }] = await many.exported();
  expect(visits).toHaveLength(mostListedVisits);
  expect(visits.some(({ methods }) => methods.includes('password'))).toBe(false);
});
