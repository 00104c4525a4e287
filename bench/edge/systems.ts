import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, newUser } from '@talpa/test-kit/client';
import { startReal } from '@talpa/test-kit/connector/connectors';
import { freePort } from '@talpa/test-kit/ports';
import { adopt, start } from '../kit/children.ts';
import { startTalpaForBench } from '../systems/talpa.ts';
import { host } from './load.ts';

/** Something that serves the origin on a port. */
export interface ForwardingSystem {
  readonly name: string;
  readonly port: number;
  /** The processes that a visitor reaches, and those beside the origin. */
  readonly edge: readonly number[];
  readonly connector: readonly number[];
  stop?(): Promise<void>;
}

const startTimeoutMs = 30_000;

/** Tries until it does not throw any more. */
async function until(what: string, attempt: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + startTimeoutMs; ; await sleep(100)) {
    try {
      return void (await attempt());
    } catch (error) {
      if (Date.now() > end) throw new Error(`${what} did not start`, { cause: error });
    }
  }
}

const accepts = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });

const serves = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /small HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    socket.once('data', (data) =>
      data.toString('latin1').startsWith('HTTP/1.1 200') ? resolve() : reject(new Error(String(data))),
    );
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });

function run(file: string, args: readonly string[]): ChildProcess {
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  adopt(child);
  return child;
}
const pidOf = (child: ChildProcess) => child.pid ?? 0;

interface TalpaSystem extends ForwardingSystem {
  /** The user to whom the proxy belongs. */
  readonly owner: Client;
  readonly proxyId: number;
  stop(): Promise<void>;
}

/** The whole of Talpa, with the connector at CLOUDFLARED, else with our own. */
export async function startTalpaSystem(originPort: number): Promise<TalpaSystem> {
  const most = '1000000000';
  const system = await startTalpaForBench({
    EDGE_REQUEST_LIMIT_PER_MINUTE: most,
    EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: most,
    EDGE_MUTATION_LIMIT_PER_MINUTE: most,
    EDGE_BODY_LIMIT_BYTES: '8000000000',
  });
  const { talpa } = system;
  const { edge } = talpa;
  if (!edge) throw new Error('there is no edge');
  const { client } = await newUser(talpa.url, 'enterprise');
  const { proxy } = await client.call('POST /api/tunnel-configs', {
    serverName: 'bench',
    serverIP: '127.0.0.1',
    adminPort: originPort,
    customUrl: 'srv',
  });
  let token = '';
  await until('the proxy', async () => {
    ({ token } = await client.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id }));
  });
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const file = process.env.CLOUDFLARED;
  const connector = file
    ? await startReal(file, { port: edge.connectorPort, ca, token, originPort })
    : await start('edge/connector.ts', {
        args: [String(edge.connectorPort), edge.authorityFile, token, String(originPort)],
      });
  await until('the tunnel', () => serves(edge.visitorPort));
  return {
    name: file ? 'Talpa, cloudflared' : 'Talpa, own connector',
    port: edge.visitorPort,
    edge: [system.parts.edge ?? 0],
    connector: [connector.pid],
    ...{ owner: client, proxyId: proxy.id },
    stop: async () => {
      if ('kill' in connector) await connector.kill();
      await system.stop();
    },
  };
}

/** frp 0.5x or newer with its defaults: TLS and one multiplexed connection. Null without FRPS and FRPC. */
export async function startFrp(folder: string, originPort: number): Promise<ForwardingSystem | null> {
  const { FRPS: server, FRPC: client } = process.env;
  if (!server || !client) return null;
  const [bindPort, port] = [await freePort(), await freePort()];
  const [serverFile, clientFile] = [join(folder, 'frps.toml'), join(folder, 'frpc.toml')];
  writeFileSync(
    serverFile,
    `bindAddr = "127.0.0.1"\nproxyBindAddr = "127.0.0.1"\nbindPort = ${bindPort}\nvhostHTTPPort = ${port}\nlog.level = "error"\n`,
  );
  writeFileSync(
    clientFile,
    `serverAddr = "127.0.0.1"\nserverPort = ${bindPort}\nlog.level = "error"\n[[proxies]]\nname = "bench"\ntype = "http"\nlocalPort = ${originPort}\ncustomDomains = ["${host}"]\n`,
  );
  const edge = run(server, ['-c', serverFile]);
  await until('frps', () => accepts(bindPort));
  const connector = run(client, ['-c', clientFile]);
  await until('frp', () => serves(port));
  return { name: 'frp', port, edge: [pidOf(edge)], connector: [pidOf(connector)] };
}

/** nginx as a reverse proxy on the same machine: no tunnel. Null where it is not installed. */
export async function startNginx(folder: string, originPort: number): Promise<ForwardingSystem | null> {
  const program = process.env.NGINX_PATH ?? '/usr/sbin/nginx';
  if (!existsSync(program)) return null;
  const port = await freePort();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const config = `worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http { access_log off; client_max_body_size 0; ${temp.join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream origin { server 127.0.0.1:${originPort}; keepalive 256; }
  server { listen 127.0.0.1:${port}; keepalive_requests 100000000;
    location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;
      proxy_buffering off; proxy_request_buffering off; } } }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const child = run(program, ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  await until('nginx', () => serves(port));
  const workers = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
  return { name: 'nginx', port, edge: workers.map(Number), connector: [] };
}
