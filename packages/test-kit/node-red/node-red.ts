import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { root } from '../../../launcher/paths.ts';
import { temporaryHome } from '../home.ts';
import { freePort } from '../ports.ts';
import { until } from '../wait.ts';

export const nodeRedVersion = '5.0.7';

/** What its settings file reports. */
export type NodeRedReport =
  | { readonly kind: 'request'; readonly url: string; readonly headers: IncomingHttpHeaders }
  | { readonly kind: 'opened' | 'closed' };

/** A panel that is not ours, with a WebSocket at /comms. */
export interface NodeRed {
  readonly port: number;
  /** All requests that have reached it, those for a WebSocket too. */
  readonly seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[];
  /** How many WebSockets it has open. */
  webSockets(): number;
  stop(): Promise<void>;
}

/** Has npm put it into a folder of the project's the first time: too large to be there for every `npm test`. */
function installNodeRed(): string {
  const tools = join(root, '.talpa-tools');
  const folder = join(tools, `node-red-${nodeRedVersion}`);
  if (existsSync(folder)) return folder;
  mkdirSync(tools, { recursive: true });
  const fresh = mkdtempSync(join(tools, 'node-red-'));
  const args = ['install', '--prefix', fresh, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr } = spawnSync('npm', [...args, `node-red@${nodeRedVersion}`], {
    encoding: 'utf8',
    cwd: fresh,
  });
  if (status === 0) renameSync(fresh, folder);
  else {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`Node-RED could not be installed: ${stderr}`);
  }
  return folder;
}

/** Starts Node-RED on a loopback port; the caller stops it. */
export async function startNodeRed(): Promise<NodeRed> {
  const program = join(installNodeRed(), 'node_modules/node-red/red.js');
  const port = await freePort();
  const userDir = temporaryHome();
  const settings = join(import.meta.dirname, 'settings.ts');
  const args = ['--port', String(port), '--settings', settings, '--userDir', userDir];
  const child = fork(program, args, { execArgv: [], silent: true, cwd: userDir });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  const ended = once(child, 'exit');
  const seen: NodeRed['seen'] = [];
  let open = 0;
  child.on('message', (message: NodeRedReport) => {
    if (message.kind === 'request') seen.push(message);
    else open += message.kind === 'opened' ? 1 : -1;
  });
  await until(
    'Node-RED',
    async () => {
      if (child.exitCode !== null) return true;
      const response = await fetch(`http://127.0.0.1:${port}/settings`);
      return /Started flows/.test(output) && response.ok;
    },
    60_000,
  );
  if (child.exitCode !== null) throw new Error(`Node-RED has ended: ${output}`);
  return {
    port,
    seen,
    webSockets: () => open,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(userDir, { recursive: true, force: true });
    },
  };
}
