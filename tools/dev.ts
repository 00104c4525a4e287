import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CliError } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { runInForeground } from '../launcher/foreground.ts';
import { whileDebugging } from '../launcher/supervision/hang.ts';
import { startDevPanel } from './dev/panel.ts';
import { devProcesses, watchSources } from './dev/sources.ts';

/** `npm run dev`: everything of `npm start` in a home of its own; changed sources show at once. */
const home = resolve(root, process.env.TALPA_HOME || '.talpa-dev');
const firstInspectorPort = 9_229;

/** `--inspect auth --inspect gateway:9300`: the port for a debugger, by process. */
function readInspect(): Record<string, number> {
  const { values } = parseArgs({ options: { inspect: { type: 'string', multiple: true } } });
  return Object.fromEntries(
    (values.inspect ?? []).map((text, index) => {
      const [name = '', port = String(firstInspectorPort + index)] = text.split(':');
      if (!devProcesses.includes(name) || !/^\d{2,5}$/.test(port))
        throw new CliError(
          `--inspect ${text}: write one of ${devProcesses.join(', ')}, with “:<port>” where you like.`,
        );
      return [name, Number(port)];
    }),
  );
}

process.env.NODE_ENV = 'development';
await runInForeground({
  home,
  port: '8090',
  prepare: async (log) => {
    const inspect = readInspect();
    const panel = await startDevPanel(home, log);
    const { EDGE_CONNECTOR_PORT = '' } = process.env;
    const env = {
      ...panel.env,
      EDGE_CONNECTOR_PORT: EDGE_CONNECTOR_PORT || '7845',
      EDGE_PROCESSES: '1',
      // A change restarts one process, a debugger attaches to one.
      PROCESSES: 'separate',
    };
    for (const [name, port] of Object.entries(inspect))
      log(`a debugger can attach to ${name} on port ${port}`);
    return { options: { env, inspect, patience: whileDebugging }, stop: panel.stop };
  },
  started: watchSources,
});
