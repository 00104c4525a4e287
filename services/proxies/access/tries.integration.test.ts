import { randomBytes, randomUUID } from 'node:crypto';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { expect, it } from 'vitest';
import { deleteEndedVisits } from './end-visits.ts';

const verbs = useVerbs(useStores(), 'proxies', { withEdge: true });

/** A proxy behind a wall. */
async function newProxy(): Promise<string> {
  const uuid = randomUUID();
  const { sql } = verbs;
  await sql`
    insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status)
    values (${uuid}, 1, 'Server', '203.0.113.7', 1, ${`${uuid}.tunnel.localhost`}, 443, 'active')`;
  const wall = { kind: 'wall', rules: [], require: 'any', methods: ['pin'], days: 7 };
  await sql`insert into access_policies (proxy_uuid, policy) values (${uuid}, ${sql.json(wall)})`;
  return uuid;
}

it('counted tries are deleted as soon as they count no longer: of a visitor after 15 minutes, of all together after an hour', async () => {
  const uuid = await newProxy();
  for (const [visitor, minutes] of [
    ['192.0.2.1', 14],
    ['192.0.2.2', 16],
    ['token 192.0.2.1', 14],
    ['token 192.0.2.2', 16],
    ['', 59],
  ] as const)
    await verbs.sql`
      insert into access_tries (proxy_uuid, visitor, since)
      values (${uuid}, ${visitor}, now() - make_interval(mins => ${minutes}))`;
  const visitors = async () => {
    await deleteEndedVisits(verbs.sql);
    const rows = await verbs.sql<{ visitor: string }[]>`
      select visitor from access_tries where proxy_uuid = ${uuid} order by visitor`;
    return rows.map(({ visitor }) => visitor);
  };
  expect(await visitors()).toEqual(['', '192.0.2.1', 'token 192.0.2.1']);
  await verbs.sql`update access_tries set since = since - interval '2 minutes' where proxy_uuid = ${uuid}`;
  expect(await visitors()).toEqual([]);
});

it('requests of codes by email are deleted when they have expired, and what is known of sent ones after an hour', async () => {
  const uuid = await newProxy();
  const { sql } = verbs;
  for (const [address, seconds] of [
    ['mara@example.com', 60],
    ['ben@example.com', -1],
  ] as const)
    await sql`
      insert into access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash, counts_until)
      values (${uuid}, 1, ${address}, 'p.tunnel.localhost', 'de', ${randomBytes(32)}, now() + make_interval(secs => ${seconds}))`;
  for (const minutes of [59, 61])
    await sql`
      insert into access_code_mails (code_id, owner_id, address_hash, sent_at)
      values (${randomUUID()}, ${minutes}, ${randomBytes(32)}, now() - make_interval(mins => ${minutes}))`;
  await deleteEndedVisits(sql);
  expect(await sql`select address from access_email_codes`).toEqual([{ address: 'mara@example.com' }]);
  expect(await sql`select owner_id from access_code_mails`).toEqual([{ ownerId: 59 }]);
});

it('wrong tokens from ever new addresses add no more than a thousand rows to a proxy, and the right one still lets in', async () => {
  const [uuid, other] = [await newProxy(), await newProxy()];
  const right = randomBytes(32);
  await verbs.sql`insert into service_tokens (proxy_uuid, name, token_hash) values (${uuid}, 'Bot', ${right})`;
  const find = async (proxy: string, token: Buffer, who: string) => {
    const [row] = await verbs.edgeSql<{ ends: number | null }[]>`
      select proxies.find_service_token(${proxy}, ${token}, ${who}, 2) as ends`;
    return row?.ends ?? null;
  };
  const counted = async (proxy: string) =>
    (await verbs.sql`select 1 from access_tries where proxy_uuid = ${proxy}`).length;
  await verbs.edgeSql`
    select proxies.find_service_token(${uuid}, sha256(place::text::bytea), 'v' || place, 2)
    from generate_series(1, 1100) as place`;
  expect(await counted(uuid)).toBe(1_000);
  expect(await find(uuid, right, 'v1100')).toBe(9e15);
  // Who is counted already still is.
  expect(await find(uuid, right, 'v1')).toBe(9e15);
  await find(uuid, randomBytes(32), 'v1');
  expect(await find(uuid, right, 'v1')).toBeNull();
  await find(other, randomBytes(32), 'v1');
  expect(await counted(other)).toBe(1);
});

it('guesses at a PIN from ever new addresses add no row once the proxy’s budget is used up', async () => {
  const uuid = await newProxy();
  await verbs.edgeSql`
    select proxies.count_access_try(${uuid}, 'v' || place, 10, 60) from generate_series(1, 200) as place`;
  const rows = await verbs.sql`select 1 from access_tries where proxy_uuid = ${uuid}`;
  expect(rows).toHaveLength(61);
});
