import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBus } from '@talpa/service-kit/bus/connect';
import { type BusUser, busUsers } from '@talpa/service-kit/bus/permissions';
import type { HomeFolders } from '../paths.ts';
import { PlainError, type Say } from '../say.ts';
import { type Running, supervise } from '../supervisor.ts';
import { findProgram } from '../system-packages.ts';

/** Our own NATS with JetStream, on a port it chose itself and keeps while the launcher lives. */
export interface OwnNats {
  readonly running: Running<number>;
  /** nats://… of one of its users. */
  url(user: BusUser): string;
}

/** Starts NATS with one user per process, each allowed its own subjects. */
export async function startNats(
  folders: HomeFolders,
  password: (user: BusUser) => string,
  say: Say,
): Promise<OwnNats> {
  const program = findProgram('nats-server');
  if (!program) throw new PlainError('nats-server is not installed.');
  mkdirSync(folders.nats, { recursive: true, mode: 0o700 });
  const config = join(folders.nats, 'nats.conf');
  const urlFor = (user: BusUser, port: number) => `nats://${user}:${password(user)}@127.0.0.1:${port}`;
  const running = await supervise<number>(
    {
      name: 'nats',
      command: (earlierPort) => {
        removePortsFiles(folders.nats);
        writeFileSync(config, configText(folders.nats, password, earlierPort ?? -1), { mode: 0o600 });
        return { name: 'nats', file: program, args: ['-c', config] };
      },
      ready: async (child, signal) => {
        const port = await chosenPort(join(folders.nats, `nats-server_${child.pid}.ports`), signal);
        await untilJetStream(urlFor('operator', port), signal);
        return port;
      },
      // SIGUSR2 would wait for clients; they reconnect by themselves.
      stopSignal: 'SIGTERM',
    },
    folders,
    say,
  );
  return { running, url: (user) => urlFor(user, running.facts) };
}

function configText(folder: string, password: (user: BusUser) => string, port: number): string {
  const users = Object.entries(busUsers()).map(([user, permissions]) => ({
    user,
    password: password(user as BusUser),
    permissions: {
      publish: { allow: permissions.publish },
      subscribe: { allow: permissions.subscribe },
      allow_responses: { max: 1, expires: '2m' },
    },
  }));
  return JSON.stringify(
    {
      listen: `127.0.0.1:${port}`,
      ports_file_dir: folder,
      max_payload: 1_048_576,
      jetstream: { store_dir: join(folder, 'jetstream') },
      authorization: { users },
    },
    null,
    2,
  );
}

function removePortsFiles(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith('.ports')) rmSync(join(folder, name));
}

async function chosenPort(file: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      const ports = JSON.parse(readFileSync(file, 'utf8')) as { nats: string[] };
      return Number(new URL(ports.nats[0] ?? '').port);
    } catch {
      await sleep(20, undefined, { signal });
    }
  }
}

async function untilJetStream(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const nc = await openBus(url, 'operator');
      try {
        await nc.request('$JS.API.INFO', '', { timeout: 1_000 });
        return;
      } finally {
        await nc.close();
      }
    } catch {
      await sleep(50, undefined, { signal });
    }
  }
}
