import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorVariables } from '@talpa/contracts/connector';
import { type OnStream, proxyTo, responseHead } from '../tunnel-connection.ts';
import { until } from '../wait.ts';
import { startTestConnector } from './connector.ts';

/** What a connector of any make is started with. */
export interface ConnectorStart {
  readonly port: number;
  readonly ca: string;
  readonly token: string;
  /** Where the panel behind ours listens; left out: where the tunnel's configuration says, as with the real one. */
  readonly originPort?: number;
}

/** A running connector. */
export interface RunningConnector {
  /** Leaves as it should. */
  stop(): Promise<void>;
  /** Goes without a word. */
  kill(): Promise<void>;
  /** What it has said, if it says anything. */
  output(): string;
}

/** Its connections, each with what was pushed to it. */
export type Configured = readonly {
  readonly configurations: readonly { version: number; config: unknown }[];
}[];

/** Leads each host where the newest configuration says; a certificate is not looked at. */
export function followRules(links: () => Configured): OnStream {
  return (stream, headers, rawHeaders) => {
    const [newest] = links()
      .flatMap(({ configurations }) => configurations.at(-1) ?? [])
      .toSorted((one, other) => other.version - one.version);
    const { ingress = [] } = (newest?.config ?? {}) as {
      ingress?: { hostname?: string; service: string }[];
    };
    const host = headers[':authority'];
    const service = ingress.find(({ hostname = host }) => hostname === host)?.service ?? 'http_status:503';
    const [, status] = service.split('http_status:');
    if (status) {
      stream.respond(responseHead(Number(status), [], 'cloudflared'), { endStream: true });
      return;
    }
    const { protocol, port } = new URL(service);
    proxyTo(Number(port), protocol === 'https:')(stream, headers, rawHeaders);
  };
}

/** Our own connector, which the tests always have. */
export async function startOurs(start: ConnectorStart): Promise<RunningConnector> {
  const { originPort } = start;
  const onStream = originPort === undefined ? followRules(() => connector.links) : proxyTo(originPort);
  const connector: Awaited<ReturnType<typeof startTestConnector>> = await startTestConnector({
    ...start,
    onStream,
  });
  return { stop: connector.stop, kill: async () => connector.kill(), output: () => '' };
}

/** The real one: the binary at CLOUDFLARED, with the variables of the install blocks. */
export async function startReal(
  file: string,
  { port, ca, token }: ConnectorStart,
): Promise<RunningConnector & { readonly pid: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-cloudflared-'));
  const caFile = join(folder, 'edge-ca.pem');
  writeFileSync(caFile, ca);
  const variables = connectorVariables(`127.0.0.1:${port}`, caFile);
  const child: ChildProcess = spawn(file, ['tunnel', '--no-autoupdate', '--grace-period', '5s', 'run'], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TUNNEL_TOKEN: token,
      ...Object.fromEntries(variables.map((line) => line.split('='))),
      TUNNEL_METRICS: '127.0.0.1:0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      output += data.toString();
    });
  const ended = once(child, 'exit').then(() => rmSync(folder, { recursive: true, force: true }));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  await until('cloudflared to begin', () => output.includes('Starting tunnel'));
  return {
    pid: child.pid ?? 0,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    output: () => output,
  };
}
