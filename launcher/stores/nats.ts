import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storedProcess } from '@talpa/instance/child';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { handOutFile } from '@talpa/instance/containers';
import type { Running } from '@talpa/instance/part';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { findProgram } from '@talpa/instance/system-packages';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import type { BusUser } from '@talpa/service-kit/bus/permissions';
import { supervise } from '../supervision/supervisor.ts';
import { natsConfig, natsUrl, streamsAccount } from './nats-config.ts';
import type { StoreOptions } from './options.ts';
import { probeNats } from './probes.ts';

/** Our own NATS with JetStream, on a port it chose itself and keeps while the launcher lives. */
export interface OwnNats {
  readonly running: Running<number>;
  /** nats://… of one of its users. */
  url(user: BusUser): string;
}

/** Starts NATS with one user per process, each allowed its own subjects. */
export async function startNats(
  folders: HomeFolders,
  secrets: Secrets,
  log: LogLine,
  { patience, signal }: StoreOptions = {},
): Promise<OwnNats> {
  const program = findProgram('nats-server');
  if (!program) throw new CliError('nats-server is not installed.');
  mkdirSync(folders.nats, { recursive: true, mode: 0o700 });
  adoptStreams(join(folders.nats, 'jetstream/jetstream'));
  const config = join(folders.nats, 'nats.conf');
  const urlFor = (user: BusUser, port: number) => natsUrl(secrets, user, `127.0.0.1:${port}`);
  const running = await supervise<number>(
    {
      name: 'nats',
      recovers: true,
      signal,
      command: (earlierPort) => {
        removePortsFiles(folders.nats);
        const own = { listen: `127.0.0.1:${earlierPort ?? -1}`, ports_file_dir: folders.nats };
        handOutFile(config, natsConfig(folders.nats, secrets, own), 0o600);
        return { name: 'nats', file: program, args: ['-c', config] };
      },
      ready: async (child, ended) => {
        const port = await chosenPort(portsFile(folders, child.pid), ended);
        await untilJetStream(urlFor('operator', port), ended);
        return port;
      },
      probe: (port) => probeNats(urlFor('operator', port), folders.nats),
      // SIGUSR2 would wait for clients; they reconnect by themselves.
      stopSignal: 'SIGTERM',
    },
    folders,
    log,
    patience,
  );
  return { running, url: (user) => urlFor(user, running.facts) };
}

/** Earlier versions kept the streams in NATS's unnamed account. */
function adoptStreams(folder: string): void {
  const [unnamed, named] = [join(folder, '$G'), join(folder, streamsAccount)];
  if (existsSync(unnamed) && !existsSync(named)) renameSync(unnamed, named);
}

const portsFile = (folders: HomeFolders, pid?: number) => join(folders.nats, `nats-server_${pid}.ports`);

/** nats://… of a user of the NATS that another launcher runs on this home; null when none does. */
export function runningNatsUrl(folders: HomeFolders, secrets: Secrets, user: BusUser): string | null {
  const pid = storedProcess(folders, 'nats');
  const port = pid === null ? null : portIn(portsFile(folders, pid));
  return port === null ? null : natsUrl(secrets, user, `127.0.0.1:${port}`);
}

function removePortsFiles(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith('.ports')) rmSync(join(folder, name));
}

async function chosenPort(file: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    const port = portIn(file);
    if (port !== null) return port;
    await sleep(20, undefined, { signal });
  }
}

/** The port in NATS's ports file; null while it is not written. */
function portIn(file: string): number | null {
  try {
    const ports = JSON.parse(readFileSync(file, 'utf8')) as { nats: string[] };
    return Number(new URL(ports.nats[0] ?? '').port);
  } catch {
    return null;
  }
}

async function untilJetStream(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const nc = await openBus(url, 'operator');
      try {
        await streamsOf(nc).request('$JS.API.INFO', '', { timeout: 1_000 });
        return;
      } finally {
        await nc.close();
      }
    } catch {
      await sleep(50, undefined, { signal });
    }
  }
}
