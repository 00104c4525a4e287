import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, type LogLine } from '@talpa/instance/cli';
import type { Running } from '@talpa/instance/part';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { findProgram } from '@talpa/instance/system-packages';
import { type RedisUser, redisRule, redisUserNames } from '@talpa/service-kit/redis/users';
import { supervise } from '../supervision/supervisor.ts';
import type { StoreOptions } from './options.ts';
import { probeRedis } from './probes.ts';
import { socketFolder } from './socket-folder.ts';

/** Our own Redis, on a unix socket, in memory alone: it holds no truth. */
export interface OwnRedis {
  readonly running: Running<null>;
  readonly url: (user: RedisUser) => string;
}

/** In memory alone, and never more than it may: what is lost is asked for again. */
const redisSettings = {
  save: '',
  appendonly: 'no',
  maxmemory: '128mb',
  'maxmemory-policy': 'allkeys-lru',
} as const;

const passwordOf = (secrets: Secrets, user: RedisUser) => secrets.storePassword(`redis ${user}`);

/** redis://… or unix://… of one of its users. @param address `redis://host:port` or `unix://localhost/path` */
export function redisUrl(secrets: Secrets, user: RedisUser, address: string): string {
  return address.replace('://', `://${user}:${passwordOf(secrets, user)}@`);
}

/** The server's configuration: a user for each process with the rights it needs, and no other. */
export function redisConfig(secrets: Secrets, own: Readonly<Record<string, string>>): string {
  const settings = Object.entries({ ...redisSettings, ...own }).map(([name, value]) => `${name} "${value}"`);
  const users = redisUserNames.map(
    (user) => `user ${user} on >${passwordOf(secrets, user)} ${redisRule(user)}`,
  );
  return [...settings, 'user default off', ...users, ''].join('\n');
}

/** Starts Redis. */
export async function startRedis(
  folders: HomeFolders,
  secrets: Secrets,
  log: LogLine,
  { patience, signal }: StoreOptions = {},
): Promise<OwnRedis> {
  const program = findProgram('redis-server');
  if (!program) throw new CliError('redis-server is not installed.');
  const folder = socketFolder(join(folders.home, 'redis'), null);
  const socket = join(folder, 'redis.sock');
  rmSync(socket, { force: true });
  const own = { port: '0', unixsocket: socket, unixsocketperm: '700', dir: folder };
  // A file, not arguments: those are for every user of the machine to read.
  const config = join(folder, 'redis.conf');
  writeFileSync(config, redisConfig(secrets, own), { mode: 0o600 });
  const running = await supervise<null>(
    {
      name: 'redis',
      recovers: true,
      signal,
      command: () => ({
        name: 'redis',
        file: program,
        args: [config],
      }),
      ready: (_child, ended) => untilPong(socket, ended),
      probe: (_facts, _child, signal) => probeRedis(socket, signal),
    },
    folders,
    log,
    patience,
  );
  return { running, url: (user) => redisUrl(secrets, user, `unix://localhost${socket}`) };
}

async function untilPong(path: string, signal: AbortSignal): Promise<null> {
  while (!(await answersPing(path))) await sleep(30, undefined, { signal });
  return null;
}

function answersPing(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      // It wants a password: it answers.
      resolve(/^(\+PONG|-NOAUTH)/.test(String(data)));
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
