import { rmSync } from 'node:fs';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { Client, newUser } from '@talpa/test-kit/client';
import { temporaryHome } from '@talpa/test-kit/home';
import { adminPassword, anyPorts, apart } from '@talpa/test-kit/system';
import { startTalpa, type Talpa } from '../../launcher/system.ts';
import type { BenchUser, System } from './system.ts';

export interface RunningTalpa extends System {
  readonly talpa: Talpa;
  admin(): Promise<Client>;
  stop(): Promise<void>;
}

/** No limit is met, and nothing comes by itself but what production has. */
const highLimits = Object.fromEntries(
  [
    'SIGN_IN_LIMIT_PER_MINUTE',
    'SIGN_IN_NAME_LIMIT_PER_MINUTE',
    'REGISTER_LIMIT_PER_MINUTE',
    'REGISTRATION_PROOF_AFTER',
    'REQUEST_LIMIT_PER_MINUTE',
    'ADDRESS_CONNECTION_LIMIT',
    'MUTATION_LIMIT_PER_MINUTE',
    'PROVIDER_CALL_LIMIT_PER_5_MINUTES',
    'LIVE_USER_STREAM_LIMIT',
  ].map((name) => [name, '1000000000']),
);

/** A whole Talpa, as in production but for its limits. */
export async function startTalpaForBench(env: NodeJS.ProcessEnv = {}): Promise<RunningTalpa> {
  const home = temporaryHome();
  const talpa = await startTalpa({
    home,
    port: 0,
    adminPassword,
    env: { ...process.env, ...highLimits, ...anyPorts, ...apart, LOG_LEVEL: 'warn', ...env },
  });
  const parts = Object.fromEntries([...talpa.parts].map(([name, part]) => [name, part.pid() ?? 0]));
  return {
    name: 'Talpa',
    talpa,
    url: talpa.url.replace('localhost', '127.0.0.1'),
    parts,
    readers: [],
    writers: [],
    admin: async () => {
      const client = new Client(talpa.url);
      await client.call('POST /api/login', { username: 'admin', password: adminPassword });
      return client;
    },
    stop: async () => {
      await talpa.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Users with a plan for 25 proxies, signed in; `proxies` of them are there and were set up long ago. */
export async function newBenchUsers(talpa: Talpa, count: number, proxies: number): Promise<BenchUser[]> {
  const users: BenchUser[] = [];
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  for (let number = 0; number < count; number += 1) {
    const { client, user } = await newUser(talpa.url, 'enterprise');
    users.push({ userId: user.id, cookie: client.cookie });
    await sql`
      insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port,
        status, applied_generation, applied)
      select uuid, ${user.id}, 'Server ' || at, '127.0.0.1', 40120, hostname, 8081,
        'inactive', 1, json_build_object('tunnelId', uuid, 'dnsRecordId', uuid, 'hostname', hostname)
      from (select gen_random_uuid() as uuid, at from generate_series(1, ${proxies}) at) made,
        lateral (select 'server-' || at || '-' || left(replace(uuid::text, '-', ''), 12) || '.tunnel.localhost' as hostname) named`;
  }
  await sql.end();
  return users;
}
