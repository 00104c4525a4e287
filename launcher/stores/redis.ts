import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Patience } from '../hang.ts';
import type { HomeFolders } from '../paths.ts';
import { PlainError, type Say } from '../say.ts';
import { type Running, supervise } from '../supervisor.ts';
import { findProgram } from '../system-packages.ts';
import { redisAnswers } from './answers.ts';
import { socketFolder } from './socket-folder.ts';

/** Our own Redis, on a unix socket, in memory alone: it holds no truth. */
export interface OwnRedis {
  readonly running: Running<null>;
  readonly url: string;
}

/** In memory alone, and never more than it may: what is lost is asked for again. */
export const redisSettings = {
  save: '',
  appendonly: 'no',
  maxmemory: '128mb',
  'maxmemory-policy': 'allkeys-lru',
} as const;

/** Starts Redis. */
export async function startRedis(
  folders: HomeFolders,
  say: Say,
  patience?: Patience | null,
): Promise<OwnRedis> {
  const program = findProgram('redis-server');
  if (!program) throw new PlainError('redis-server is not installed.');
  const folder = socketFolder(join(folders.home, 'redis'), null);
  const socket = join(folder, 'redis.sock');
  rmSync(socket, { force: true });
  const own = { port: '0', unixsocket: socket, unixsocketperm: '700', dir: folder };
  const running = await supervise<null>(
    {
      name: 'redis',
      command: () => ({
        name: 'redis',
        file: program,
        args: Object.entries({ ...redisSettings, ...own }).flatMap(([key, value]) => [`--${key}`, value]),
      }),
      ready: (_child, signal) => untilPong(socket, signal),
      answers: (_facts, _child, signal) => redisAnswers(socket, signal),
    },
    folders,
    say,
    patience,
  );
  return { running, url: `unix://${socket}` };
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
      resolve(String(data).startsWith('+PONG'));
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
