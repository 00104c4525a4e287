import { spawnSync } from 'node:child_process';
import { CliError, runCommand } from '@talpa/instance/cli';
import { ensurePrograms } from '@talpa/instance/system-packages';
import { buildPanel } from '../launcher/build.ts';
import { measureIdleConnectors } from './edge/idle.ts';
import { measureProtection } from './edge/protection.ts';
import { measureEdge } from './edge/run.ts';
import { measureGateway } from './measures/gateway.ts';
import { measureLists } from './measures/lists.ts';
import { measurePanel } from './measures/panel.ts';
import { measureServers } from './measures/servers.ts';
import { measureStreams } from './measures/streams.ts';

const words = process.argv.slice(2);
const option = (name: string, otherwise: number) => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(words[at + 1]);
};
const only = words.includes('--only') ? words[words.indexOf('--only') + 1] : undefined;
const times = { rounds: option('rounds', 5), seconds: option('seconds', 4) };

const measures: Record<string, () => Promise<unknown>> = {
  gateway: () => measureGateway({ ...times, only }),
  lists: () => measureLists(times),
  servers: measureServers,
  streams: () => measureStreams({ streams: option('streams', 1_000) }),
  panel: () => measurePanel({ rounds: times.rounds, isShown: words.includes('--waterfall'), only }),
  edge: () => measureEdge(times),
  connectors: () => measureIdleConnectors({ connectors: option('connectors', 1_000) }),
  protection: () => measureProtection(times),
};
const usage = `npm run bench -- ${Object.keys(measures).join('|')} [--rounds 5] [--seconds 4] [--only <path>|writes] [--waterfall]`;

/** `npm run bench`: installs what is measured beside us and makes the load, and measures. */
await runCommand(async () => {
  if (words.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  const asked = words[0]?.startsWith('--') || !words[0] ? ['gateway', 'lists', 'streams'] : [words[0]];
  const unknown = asked.find((name) => !Object.hasOwn(measures, name));
  if (unknown) throw new CliError(`No measure “${unknown}”. ${usage}`);
  const log = (line: string) => console.log(`… ${line}`);
  await ensurePrograms(['postgres', 'nats-server', 'redis-server'], log);
  await buildPanel(log);
  log('installing the packages of the bench');
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...quiet], { cwd: import.meta.dirname, stdio: 'inherit' });
  if (status !== 0) throw new CliError('npm install failed.');
  for (const name of asked) {
    console.log(`\n## ${name}`);
    await measures[name]?.();
  }
  process.exit(0);
});
