import { routes } from '@talpa/contracts';
import { isLoopback, isOnlyHere } from '@talpa/contracts/reach';
import { CliError, type LogLine, runCommand } from '@talpa/instance/cli';
import { homeFolders } from '@talpa/instance/paths';
import { giveBackMemory } from '@talpa/service-kit/process/give-back';
import { defaultTunnelDomain, edgeAddressOf } from '@talpa/service-kit/settings/edge-address';
import { cookieWarning } from '../gateway/shared-domain.ts';
import { forgetPassword } from './first-admin.ts';
import { joinSettingsFolder, nearNameWarnings } from './outside-settings.ts';
import { startTalpa, type Talpa, type TalpaOptions } from './system.ts';

type Options = Pick<TalpaOptions, 'env' | 'patience' | 'inspect'>;

/** What `npm start` and `npm run dev` differ in. */
export interface Command {
  readonly home: string;
  /** Of the panel, where PORT says nothing. */
  readonly port: string;
  /** What is started first, and stopped first. */
  prepare?(log: LogLine, signal: AbortSignal): Promise<{ readonly options: Options; stop(): Promise<void> }>;
  /** Everything works. @returns how to stop what was begun */
  started?(talpa: Talpa, log: LogLine): () => void;
}

/** Runs the whole panel until Ctrl-C. */
export function runInForeground(command: Command): Promise<void> {
  return runCommand(async () => {
    const began = Number(process.env.TALPA_BEGAN) || Date.now();
    joinSettingsFolder();
    const asked = new AbortController();
    // Once for all signals: npm passes on what the terminal has sent us already.
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
      process.on(event, () => {
        if (!asked.signal.aborted) console.log('\n… stopping');
        asked.abort();
      });
    const log: LogLine = (line) => console.log(`… ${line}`);
    const prepared = await command.prepare?.(log, asked.signal);
    const talpa = await startUnlessAsked(command, prepared?.options ?? {}, log, asked.signal);
    if (talpa) {
      printWelcome(talpa, (Date.now() - began) / 1_000);
      giveBackMemory();
      const end = command.started?.(talpa, log);
      if (!asked.signal.aborted) await new Promise((done) => asked.signal.addEventListener('abort', done));
      end?.();
      // Open streams of what was prepared would hold up the gateway's stop.
      await prepared?.stop();
      await talpa.stop();
    } else await prepared?.stop();
    console.log('Everything is stopped.');
    process.exit(0);
  });
}

/** Starts the panel; null when it was stopped meanwhile, and has. */
async function startUnlessAsked(
  { home, port }: Command,
  options: Options,
  log: LogLine,
  signal: AbortSignal,
): Promise<Talpa | null> {
  const adminPassword = readAdminPassword(process.env.TALPA_ADMIN_PASSWORD || undefined);
  try {
    return await startTalpa({
      ...options,
      home,
      port: readPort(process.env.PORT || port),
      host: process.env.HOST || '127.0.0.1',
      tunnelDomain: readDomain(process.env.TUNNEL_DOMAIN || defaultTunnelDomain),
      ...(adminPassword ? { adminPassword } : {}),
      signal,
      log,
    });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_534)
    throw new CliError(`PORT must be a number between 1 and 65534, not “${text}”.`);
  return port;
}

function readDomain(text: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text))
    throw new CliError(`TUNNEL_DOMAIN must be a lowercase domain name, not “${text}”.`);
  return text;
}

function readAdminPassword(text: string | undefined): string | undefined {
  if (text !== undefined && !routes['POST /api/register'].input.shape.password.safeParse(text).success)
    throw new CliError('TALPA_ADMIN_PASSWORD must be 6 to 128 characters long.');
  return text;
}

function tunnelLines({ tunnelDomain, edge }: Talpa): string[] {
  if (!edge) return [];
  const port = edge.httpsPort === 443 ? '' : `:${edge.httpsPort}`;
  const address = process.env.ACME_EMAIL
    ? `https://*.${tunnelDomain}${port}`
    : `http://*.${tunnelDomain}:${edge.visitorPort}`;
  return [`  Tunnels   ${address}, for connectors on port ${edge.connectorPort}`];
}

function metricsLines({ metrics }: Talpa): string[] {
  return Object.entries(metrics).map(
    ([name, url], index) => `  ${index === 0 ? 'Metrics' : '       '}   ${url}  (${name})`,
  );
}

function warningLines(talpa: Talpa): string[] {
  const warnings = [
    cookieWarning(process.env.PUBLIC_URL || undefined, talpa.tunnelDomain),
    reachWarning(talpa),
    ...nearNameWarnings(process.env),
  ].filter((line) => line !== null);
  return warnings.flatMap((line) => ['', `  Warning   ${line}`]);
}

/** Others reach the panel, but no tunnel. */
function reachWarning({ edge, tunnelDomain }: Talpa): string | null {
  const host = process.env.HOST || '127.0.0.1';
  if (!edge || isLoopback(host)) return null;
  const address = edgeAddressOf(edge.connectorPort, tunnelDomain, process.env);
  if (!isOnlyHere(address, tunnelDomain)) return null;
  return (
    `Others reach the panel (HOST=${host}), but nobody else can use its tunnels: connectors are sent to ${address}, visitors to ` +
    `*.${tunnelDomain}, and each looks for that on its own machine. Set TUNNEL_DOMAIN to a domain that leads here.`
  );
}

/** What an operator must know before customers come. */
function paymentLines(): string[] {
  if (process.env.PLAN_CHANGES === 'administrators') return [];
  return [
    '  Payment   is a demo: any customer can take every plan for nothing.',
    '            PLAN_CHANGES=administrators leaves plans to administrators.',
  ];
}

function printWelcome(talpa: Talpa, seconds: number): void {
  const { admin } = talpa;
  const url = (process.env.ACME_EMAIL && process.env.PUBLIC_URL) || talpa.url;
  const given = process.env.TALPA_ADMIN_PASSWORD;
  const password =
    admin?.password === given
      ? ', with the password from TALPA_ADMIN_PASSWORD'
      : ` / ${admin?.password}   (shown only once)`;
  const lines = [
    '',
    `  Talpa is running (${seconds.toFixed(1)} s)`,
    '',
    `  Panel     ${url}`,
    `  Sign in   ${admin ? `${admin.username}${password}` : 'with an existing account'}`,
    `  API       ${url}/api/docs`,
    ...tunnelLines(talpa),
    ...metricsLines(talpa),
    `  Logs      ${talpa.home}/log`,
    ...paymentLines(),
    ...warningLines(talpa),
    '',
    '  Ctrl-C stops everything.',
    '',
  ];
  console.log(lines.join('\n'));
  forgetPassword(homeFolders(talpa.home).secrets);
}
