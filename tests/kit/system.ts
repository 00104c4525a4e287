import { randomInt } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Patience } from '../../launcher/supervision/hang.ts';
import { startTalpa, type Talpa, type TalpaOptions } from '../../launcher/system.ts';
import { Client } from './client.ts';
import { temporaryHome } from './home.ts';
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts';
import { freePorts } from './ports.ts';
import { copyPostgres } from './postgres-template.ts';
import { reportAfterFailure } from './system-report.ts';

export const adminPassword = 'admin-passwort-1';

/** A running instance of its own for a test file. */
export interface TestSystem {
  readonly talpa: Talpa;
  readonly url: string;
  /** A client signed in as the first administrator. */
  admin(): Promise<Client>;
  /** The id of a part's process now. */
  pid(part: string): number | null;
}

/** Limits that would only slow tests down, and calls that come by themselves; tests about them set their own. */
const roomyLimits = {
  SIGN_IN_LIMIT_PER_MINUTE: '100000',
  SIGN_IN_NAME_LIMIT_PER_MINUTE: '100000',
  REGISTER_LIMIT_PER_MINUTE: '100000',
  REGISTRATION_PROOF_AFTER: '100000',
  PASSWORD_RESET_LIMIT_PER_HOUR: '100000',
  REQUEST_LIMIT_PER_MINUTE: '1000000',
  MUTATION_LIMIT_PER_MINUTE: '100000',
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: '100000',
  TUNNEL_TOKEN_LIMIT_PER_MINUTE: '100000',
  TUNNEL_STATUS_LIMIT_PER_MINUTE: '100000',
  PROXY_HEALTH_LIMIT_PER_MINUTE: '100000',
  MEMBER_INVITATION_LIMIT_PER_HOUR: '100000',
  RECREATE_LIMIT_PER_MINUTE: '100000',
  // No test asks the name servers of the Internet: nobody answers there.
  DNS_SERVERS: '127.0.0.1:1',
  HEALTH_INTERVAL_MS: '3600000',
  RESYNC_INTERVAL_MS: '3600000',
};

/** For a test of one service's process: most share theirs, because starting seven takes four seconds of processor time more. */
export const apart = { PROCESSES: 'separate' };

/** Several instances run at once: the edge takes any free ports. The processes are the same on every machine. */
export const anyPorts = {
  ...{ EDGE_HTTP_PORT: '0', EDGE_CONNECTOR_PORT: '0' },
  ...{ EDGE_PROCESSES: '1', PROCESSES: 'grouped' },
};

/**
 * Asking every part for a sign of life every two seconds takes a panel that does nothing a quarter of its processor time.
 * Tests of what hangs set their own.
 */
const seldomAsked: Patience = { askMs: 10_000, asks: 4 };

/** Below the ports that the system and `freePort` give out, and hardly ever those of another panel. */
const firstGamePort = 10_000 + 200 * randomInt(50);
const gamePorts = {
  EDGE_TCP_PORTS: `${firstGamePort}-${firstGamePort + 199}`,
  // The panel is reached by http: not where its cookies go.
  EDGE_TCP_HOST: '127.0.0.2',
};

/** What a panel under test is set to. */
export const testSettings = {
  ...roomyLimits,
  ...anyPorts,
  ...gamePorts,
  FAULT_INJECTION: '1',
  LOG_LEVEL: 'info',
};

/** Starts the whole panel before a file's tests and stops it after them. */
export function useTalpa(env: NodeJS.ProcessEnv = {}, own: OwnOptions = {}): TestSystem {
  return process.env.TALPA_TEST_URL ? systemAt(process.env.TALPA_TEST_URL) : useOwnTalpa(env, own);
}

/** What some tests want of the launcher beside settings. */
type OwnOptions = Pick<TalpaOptions, 'patience' | 'log' | 'fast'> & {
  /** Whether PUBLIC_URL is set, to where the panel is: passkeys need it, and emails then have links. */
  readonly isPublic?: boolean;
  /** The panel's, where others must know it beforehand. */
  readonly port?: number;
};

/** A panel that runs already, in containers say; its first administrator has the tests' password. */
function systemAt(url: string): TestSystem {
  return {
    get talpa(): Talpa {
      throw new Error(
        'this test looks into its processes: it needs a system of its own, without TALPA_TEST_URL',
      );
    },
    url,
    admin: () => signInAsAdmin(url),
    pid: () => null,
  };
}

/** A client signed in as the first administrator. */
export async function signInAsAdmin(url: string): Promise<Client> {
  const client = new Client(url);
  await client.call('POST /api/login', { username: 'admin', password: adminPassword });
  return client;
}

/** The panel that files share, in this worker, and the provider that one can sign in with there. */
const shared: {
  home: string;
  readonly said: string[];
  talpa: Talpa | undefined;
  provider: OpenIdProvider | undefined;
} = { home: '', said: [], talpa: undefined, provider: undefined };

/**
 * The panel that a worker starts once for all files of the project `sharing`, one after the other. For files that kill
 * nothing, change no setting and look at users of their own alone. A file after which it is not what it was fails, and
 * the next one gets another. `npm test` stops it.
 */
export function useSharedTalpa(): TestSystem {
  if (process.env.TALPA_TEST_URL) return systemAt(process.env.TALPA_TEST_URL);
  shared.home ||= temporaryHome();
  const { home, said } = shared;
  let before: Record<string, number | null> = {};
  reportAfterFailure(home, said);
  beforeAll(async () => {
    if (!shared.talpa) {
      shared.provider ??= await startOpenIdProvider();
      const env = {
        SIGN_IN_PROVIDERS: JSON.stringify([{ ...shared.provider.settings, createAccounts: true }]),
      };
      shared.talpa = await startInNewHome(home, env, { log: (line) => said.push(line), isPublic: true });
    }
    before = pidsOf(shared.talpa);
  });
  afterAll(async () => {
    const { talpa } = shared;
    if (!talpa) return;
    const after = pidsOf(talpa);
    const others = Object.keys(before).filter((part) => after[part] !== before[part]);
    if (others.length === 0) return;
    shared.talpa = undefined;
    await talpa.stop();
    throw new Error(`the shared panel lost ${others.join(', ')}: this file needs a panel of its own`);
  });
  return ofTalpa(() => shared.talpa);
}

const pidsOf = ({ parts }: Talpa) => Object.fromEntries([...parts].map(([name, part]) => [name, part.pid()]));

function useOwnTalpa(env: NodeJS.ProcessEnv, own: OwnOptions): TestSystem {
  let talpa: Talpa | undefined;
  const home = temporaryHome();
  const said: string[] = [];
  reportAfterFailure(home, said);
  beforeAll(async () => {
    talpa = await startInNewHome(home, env, { log: (line) => said.push(line), ...own });
  });
  afterAll(async () => {
    await talpa?.stop();
    if (!process.env.TALPA_TEST_KEEP) rmSync(home, { recursive: true, force: true });
  });
  return ofTalpa(() => talpa);
}

function ofTalpa(started: () => Talpa | undefined): TestSystem {
  const running = () => {
    const talpa = started();
    if (!talpa) throw new Error('Talpa has not been started');
    return talpa;
  };
  return {
    get talpa() {
      return running();
    },
    get url() {
      return running().url;
    },
    admin: () => signInAsAdmin(running().url),
    pid: (part) => running().partOf(part)?.pid() ?? null,
  };
}

/** The same as `startTestTalpa`, faster; a home that was used keeps its database. */
async function startInNewHome(home: string, env: NodeJS.ProcessEnv, own: OwnOptions): Promise<Talpa> {
  if (!existsSync(join(home, 'postgres'))) await copyPostgres(home);
  return startTestTalpa(home, env, { patience: seldomAsked, ...own });
}

/** Starts the whole panel in a home; the caller stops it. */
export async function startTestTalpa(
  home: string,
  env: NodeJS.ProcessEnv = {},
  { isPublic = false, port: given, ...own }: OwnOptions = {},
): Promise<Talpa> {
  // One of the system's own could be given to another process while a killed gateway is started again.
  const port = given ?? (await freePorts(2));
  return startTalpa({
    home,
    port,
    adminPassword,
    fast: true,
    env: {
      ...process.env,
      ...testSettings,
      ...(isPublic ? { PUBLIC_URL: `http://localhost:${port}` } : {}),
      // After a sign-in the panel sends visitors to the port that it says the edge has.
      ...(isPublic && given === undefined ? { EDGE_HTTP_PORT: String(port + 1) } : {}),
      ...env,
    },
    ...own,
  });
}
