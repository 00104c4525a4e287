import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const stores = useStores();
let edge: Sql;
let api: Sql;

beforeAll(async () => {
  const urlOf = await newSchemas(stores, 'tunnel-provider', 'edge');
  edge = openDatabase(urlOf('edge'), 1);
  api = openDatabase(urlOf('tunnel-provider'), 1);
});
afterAll(() => Promise.all([edge.end(), api.end()]));

const denied = 'permission denied';

describe('the edge’s database role', () => {
  it.each([
    'select secret from tunnel_provider.tunnels',
    'select key_id from tunnel_provider.tunnels',
    'select * from tunnel_provider.tunnels',
    `insert into tunnel_provider.tunnels (name, config_src, secret, key_id, secret_hash) values ('a', 'local', '', '', '')`,
    `update tunnel_provider.tunnels set secret_hash = ''`,
    'update tunnel_provider.tunnels set deleted_at = now()',
    'delete from tunnel_provider.tunnels',
    `update tunnel_provider.configurations set config = '{}'`,
    'delete from tunnel_provider.configurations',
    `update tunnel_provider.dns_records set content = ''`,
    'delete from tunnel_provider.dns_records',
    'update tunnel_provider.connections set tunnel_id = gen_random_uuid()',
    'select 1 from tunnel_provider.migrations',
    'select 1 from tunnel_provider.outbox',
    'select user_id from proxies.proxies',
    'select hostname from proxies.proxies',
    `update proxies.proxies set request_log = 'off'`,
    `update proxies.access_policies set policy = '{}'`,
    'delete from proxies.access_policies',
    'update proxies.game_ports set target_port = 22',
    'delete from proxies.game_ports',
    'select user_id from proxies.visits',
    'delete from proxies.visits',
    'select emails from proxies.access_policies',
    'select email from proxies.visits',
    'select 1 from proxies.access_codes',
    'select 1 from proxies.access_email_codes',
    'select 1 from proxies.access_code_mails',
    'select 1 from proxies.outbox',
    'select 1 from proxies.service_tokens',
    'update proxies.access_tries set tries = 0',
    `select proxies.begin_access(gen_random_uuid(), 1, 'owner', '', '', '', '', 1, null, true, null)`,
  ])('may not: %s', async (statement) => {
    await expect(edge.unsafe(statement)).rejects.toThrow(denied);
  });
});

describe('the API’s database role', () => {
  it.each([
    `insert into connections (id, tunnel_id, client_id, client_version, arch, colo_name, origin_ip, run_at)
     values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', '', '', '', now())`,
    'update connections set seen_at = now()',
    'insert into edge_epochs (id) values (gen_random_uuid())',
    'update edge_epochs set lost_at = now()',
    'delete from edge_epochs',
    'select 1 from edge.traffic',
    'select 1 from edge.edges',
  ])('may not: %s', async (statement) => {
    await expect(api.unsafe(statement)).rejects.toThrow(denied);
  });
});
