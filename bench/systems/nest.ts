import { spawn } from 'node:child_process';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { freePort } from '@talpa/test-kit/ports';
import jwt from 'jsonwebtoken';
import postgres from 'postgres';
import { adopt, start } from '../kit/children.ts';
import type { BenchUser, System } from './system.ts';
import type { RunningTalpa } from './talpa.ts';

/** What NestJS works with: a database on Talpa's Postgres, and Talpa's provider. */
export interface NestStores {
  readonly env: NodeJS.ProcessEnv;
  /** Postgres and the provider are Talpa's processes, too; what they do for NestJS counts as its own. */
  readonly parts: Readonly<Record<string, number>>;
  /** A folder that is removed at the end. */
  readonly home: string;
  readonly readers: readonly BenchUser[];
  readonly writers: readonly BenchUser[];
}

export async function openNestStores(talpa: RunningTalpa, users: number): Promise<NestStores> {
  const { stores, secrets, providerUrl } = talpa.talpa;
  const url = new URL(stores.adminUrl);
  const socket = url.searchParams.get('host');
  url.search = '';
  const host = socket ? { host: socket } : {};
  const admin = postgres(url.href, { ...host, max: 1 });
  await admin.unsafe('create database nest');
  await admin.end();
  url.pathname = '/nest';
  const sql = postgres(url.href, { ...host, max: 1, onnotice: () => {} });
  await sql.unsafe(readFileSync(join(import.meta.dirname, '../peers/nest/schema.sql'), 'utf8'));
  const key = createSecretKey(randomBytes(32));
  const newBenchUser = async (proxies: number): Promise<BenchUser> => {
    const sid = randomUUID();
    const [user] = await sql`insert into users (username) values (${sid}) returning id`;
    const userId = Number(user?.id);
    await sql`insert into sessions (id, user_id) values (${sid}, ${userId})`;
    await sql`insert into quotas (user_id) values (${userId})`;
    await sql`
      insert into proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status, applied)
      select uuid, ${userId}, 'Server ' || at, '127.0.0.1', 40120, uuid || '.tunnel.localhost', 8081, 'inactive',
        json_build_object('tunnelId', uuid, 'dnsRecordId', uuid, 'hostname', uuid || '.tunnel.localhost')
      from (select gen_random_uuid() as uuid, at from generate_series(1, ${proxies}) at) made`;
    const options = {
      algorithm: 'HS256',
      issuer: 'talpa',
      subject: String(userId),
      expiresIn: '30d',
    } as const;
    return { userId, cookie: `session=${jwt.sign({ sid }, key, options)}` };
  };
  const several = (proxies: number) =>
    Array.from({ length: users }).reduce<Promise<BenchUser[]>>(
      async (before) => [...(await before), await newBenchUser(proxies)],
      Promise.resolve([]),
    );
  const readers = await several(25);
  const writers = await several(0);
  await sql`analyze`;
  await sql.end();

  return {
    env: {
      BENCH_DATABASE: url.href,
      ...(socket ? { BENCH_DATABASE_SOCKET: socket } : {}),
      BENCH_KEY: key.export().toString('base64'),
      BENCH_PROVIDER: providerUrl ?? '',
      BENCH_ACCOUNT: secrets.installationId,
      BENCH_TOKEN: secrets.providerToken,
    },
    parts: { postgres: talpa.parts.postgres ?? 0, 'tunnel-provider': talpa.parts['tunnel-provider'] ?? 0 },
    home: talpa.talpa.home,
    readers,
    writers,
  };
}

/** A NATS of its own, with JetStream. */
async function startNats(home: string): Promise<{ url: string; pid: number }> {
  const port = await freePort();
  const streams = ['-js', '-sd', join(home, `jetstream-${port}`)];
  const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), ...streams], { stdio: 'ignore' });
  adopt(nats);
  const url = `nats://127.0.0.1:${port}`;
  await untilConnected(url);
  return { url, pid: nats.pid ?? 0 };
}

async function untilConnected(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await (await connect({ servers: url })).close();
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await wait(100);
    }
  }
}

/** Services first, then the gateway; each in a process of its own. */
const programs = [
  ...['auth', 'stats', 'proxies', 'tunnels'].map((name) => ({ file: 'peers/nest/service.ts', args: [name] })),
  { file: 'peers/nest/gateway.ts', args: [] },
];

/** Starts NestJS, with the guarantees that Talpa's writes have. */
export async function startNest({ env, parts: shared, home, readers, writers }: NestStores): Promise<System> {
  const nats = await startNats(home);
  const parts: Record<string, number> = { ...shared, nats: nats.pid };
  let port = 0;
  for (const { file, args } of programs) {
    const started = await start(file, {
      args,
      load: 'peers/nest/decorators.ts',
      env: { ...env, BENCH_NATS: nats.url },
    });
    parts[args[0] ?? 'gateway'] = started.pid;
    port = started.port;
  }
  return { name: 'NestJS 12, outbox and jobs', url: `http://127.0.0.1:${port}`, parts, readers, writers };
}
