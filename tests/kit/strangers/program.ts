import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { temporaryHome } from '../home.ts';
import { freePort } from '../ports.ts';
import { until } from '../wait.ts';
import { type Relay, startRelay } from './relay.ts';

/** Where a program of others runs. */
export interface Place {
  /** What was installed. */
  readonly folder: string;
  readonly home: string;
  readonly port: number;
}

/** A program of others that tests put behind a tunnel. */
export interface Program {
  /** With its version: the name of its folder in `.talpa-tools`. */
  readonly name: string;
  /** A script of the shell that puts it into the empty folder in which it runs. */
  readonly install: string;
  /** What its home holds at first, by names. */
  readonly files: (place: Place) => Readonly<Record<string, string>>;
  readonly command: (place: Place) => readonly string[];
  /** A path that it answers with 200 when it is ready. */
  readonly readyAt: string;
}

export interface RunningProgram extends Place, Relay {
  /** Where the connector reaches it: at a relay that records what arrives. */
  readonly relayPort: number;
}

/** This machine lacks what installs a program, or a registry. */
export class NotInstalled extends Error {}

/** A hook that installs programs takes so long at most. */
export const installMs = 600_000;
const stopMs = 5_000;

/** Installs a program the first time: too large to be there for every `npm test`. @throws NotInstalled with the reason */
function install({ name, install }: Program): string {
  const tools = join(root, '.talpa-tools');
  const folder = join(tools, name);
  if (existsSync(folder)) return folder;
  mkdirSync(tools, { recursive: true });
  const fresh = mkdtempSync(join(tools, `${name}-`));
  const { status, stderr } = spawnSync('sh', ['-ec', install], { encoding: 'utf8', cwd: fresh });
  if (status === 0) renameSync(fresh, folder);
  else {
    rmSync(fresh, { recursive: true, force: true });
    throw new NotInstalled(`${name} could not be installed: ${stderr.trim().split('\n').at(-1)}`);
  }
  return folder;
}

/** Starts a program on a loopback port; the caller stops it. @throws NotInstalled */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const place = { folder: install(program), home: temporaryHome(), port: await freePort() };
  const { home, folder, port } = place;
  for (const [name, content] of Object.entries(program.files(place)))
    writeFileSync(join(home, name), content);
  const [file = '', ...args] = program.command(place);
  const libraries = ['x86_64', 'aarch64'].map((machine) => join(folder, `usr/lib/${machine}-linux-gnu`));
  const child = spawn(file, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LD_LIBRARY_PATH: libraries.join(':') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const ended = once(child, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}${program.readyAt}`).then(
      ({ ok }) => ok,
      () => false,
    );
  const stop = async () => {
    child.kill();
    // One that waits for its clients does not end by itself.
    await until(
      `${program.name} to end`,
      () => child.exitCode !== null || child.signalCode !== null,
      stopMs,
    ).catch(() => {});
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await until(program.name, async () => child.exitCode !== null || (await isReady()));
    if (child.exitCode !== null) throw new Error(`it has ended: ${output}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const relay = await startRelay(port);
  return {
    ...{ ...place, ...relay, relayPort: relay.port, port },
    stop: async () => {
      await relay.stop();
      await stop();
    },
  };
}
