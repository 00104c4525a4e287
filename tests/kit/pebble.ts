import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serverCertificates } from './certificate.ts';
import type { PebbleFiles } from './find-pebble.ts';
import { freePorts } from './ports.ts';
import { until } from './wait.ts';

export interface PebbleOptions {
  /** Where it looks for HTTP-01 answers: the edge's port for HTTP. */
  readonly httpPort: number;
  /** Where it looks for TLS-ALPN-01 answers: the edge's port for HTTPS. */
  readonly tlsPort?: number;
  readonly externalAccounts?: Readonly<Record<string, string>>;
  /** Variables of pebble's own. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A certificate authority for tests, with a name server that gives every name this machine's address. */
export interface Pebble {
  readonly directory: string;
  /** The certificate of its own server, as PEM and as a file: who asks it must trust this. */
  readonly ca: string;
  readonly caFile: string;
  /** Its root certificate now, as PEM: it makes another one at each start. */
  root(): Promise<string>;
  /** The one between, which signs and which servers send along. */
  intermediate(): Promise<string>;
  /** Sends the name server a command: `set-txt`, `add-a`, say. */
  nameServer(command: string, body: object): Promise<void>;
  /** Sets the renewal window of a certificate. */
  setRenewal(chain: string, window: { start: Date; end: Date }): Promise<void>;
  goDown(): Promise<void>;
  /** Accepts requests and answers none, until `goOn`. */
  hang(): void;
  goOn(): void;
  /** Starts it again. It has forgotten every account, and has another root. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts pebble; the caller stops it. */
export async function startPebble(files: PebbleFiles, options: PebbleOptions): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-pebble-'));
  const first = await freePorts(4);
  const [port, managementPort, dnsPort, commandPort] = [first, first + 1, first + 2, first + 3];
  const { cert, key } = serverCertificates.valid;
  const caFile = join(folder, 'cert.pem');
  writeFileSync(caFile, cert);
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: caFile,
        privateKey: join(folder, 'key.pem'),
        httpPort: options.httpPort,
        tlsPort: options.tlsPort ?? 1,
        externalAccountBindingRequired: options.externalAccounts !== undefined,
        externalAccountMACKeys: options.externalAccounts ?? {},
        profiles: { default: { description: 'default', validityPeriod: 7_776_000 } },
      },
    }),
  );
  const run = (file: string, words: string[]) =>
    spawn(file, words, {
      stdio: ['ignore', 'ignore', process.env.TALPA_TEST_KEEP ? 'inherit' : 'ignore'],
      env: {
        ...{ PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '5' },
        // Each order asks for a challenge, also of a name that was shown to be ours before.
        ...{ PEBBLE_AUTHZREUSE: '0', ...options.env },
      },
    });
  const agent = new Agent({ ca: cert });
  const call = async (at: number, path: string, body?: string) => {
    const sent = request({
      ...{ agent, host: 'localhost', port: at, path, method: body ? 'POST' : 'GET' },
      headers: { 'user-agent': 'talpa-tests' },
    });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    const content = await text(answer);
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${content}`);
    return content;
  };
  const commands = async (command: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${commandPort}/${command}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${command}: ${response.status}`);
  };
  const nameServer = run(files.nameServer, [
    ...['-dnsserver', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${commandPort}`],
    ...['-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''],
    ...['-http01', '', '-https01', '', '-tlsalpn01', '', '-doh', ''],
  ]);
  let pebble: ChildProcess | undefined;
  const start = async () => {
    pebble = run(files.pebble, [
      ...['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`],
    ]);
    await until('pebble', () => call(port, '/dir'));
  };
  await start();
  await until('the name server', async () => {
    await commands('set-default-ipv4', { ip: '127.0.0.1' });
    return true;
  });
  return {
    directory: `https://localhost:${port}/dir`,
    ca: cert,
    caFile,
    root: () => call(managementPort, '/roots/0'),
    intermediate: () => call(managementPort, '/intermediates/0'),
    nameServer: commands,
    setRenewal: async (chain, window) => {
      const leaf = chain.slice(0, chain.indexOf(end) + end.length);
      const body = { Certificate: leaf, ARIResponse: JSON.stringify({ suggestedWindow: window }) };
      await call(managementPort, '/set-renewal-info/', JSON.stringify(body));
    },
    goDown: () => killed(pebble),
    hang: () => void pebble?.kill('SIGSTOP'),
    goOn: () => void pebble?.kill('SIGCONT'),
    comeBack: start,
    stop: async () => {
      await killed(pebble);
      await killed(nameServer);
      rmSync(folder, { recursive: true });
    },
  };
}

const end = '-----END CERTIFICATE-----';

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
