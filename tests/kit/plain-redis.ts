import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@talpa/instance/system-packages';
import { Redis } from 'ioredis';
import { until } from './wait.ts';

/** A Redis as somebody else would run it: without users, every client may do everything. */
export interface PlainRedis {
  readonly url: string;
  /** A connection that may do everything. */
  readonly client: Redis;
  /** Lets it hang: it keeps its connections and answers nobody. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Starts one on a unix socket of its own. */
export async function startPlainRedis(): Promise<PlainRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-redis-'));
  const socket = join(folder, 'redis.sock');
  const program = findProgram('redis-server');
  if (!program) throw new Error('redis-server is not installed');
  const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder];
  const server = spawn(program, args, { stdio: 'ignore' });
  const client = new Redis({ path: socket, retryStrategy: () => 50 });
  client.on('error', () => {});
  await until('Redis answers', async () => (await client.ping()) === 'PONG');
  return {
    url: `unix://localhost${socket}`,
    client,
    pause: () => server.kill('SIGSTOP'),
    resume: () => server.kill('SIGCONT'),
    stop: async () => {
      client.disconnect();
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
