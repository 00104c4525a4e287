import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@talpa/service-kit/log';
import { proxyCheckOf, trustProxyOf } from '@talpa/service-kit/trust-proxy';
import type { RequestLog } from '../requests/request-log.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { type CertificateSource, certificateByName, certificateOfFiles } from './certificate-files.ts';
import { createEntrance } from './entrance.ts';
import { type Front, withPanel } from './front.ts';
import { createHandlers } from './handler.ts';
import { createInquiry } from './inquiry.ts';
import { createLimits, type LimitSettings, type Limits } from './limits.ts';
import { listenHttp, listenHttps, type VisitorListener } from './listen.ts';
import type { TunnelPorts } from './ports.ts';
import { createRunning, type TimeSettings } from './running.ts';
import { createVisitorReader } from './visitor.ts';
import type { Wall } from './wall/wall.ts';

export interface VisitorSettings extends LimitSettings, TimeSettings {
  readonly TUNNEL_PUBLIC_PORT: number;
  readonly EDGE_HOST: string;
  readonly EDGE_HTTP_PORT?: number | undefined;
  readonly EDGE_HTTPS_PORT?: number | undefined;
  readonly EDGE_TLS_CERT?: string | undefined;
  readonly EDGE_TLS_KEY?: string | undefined;
  readonly EDGE_TRUST_PROXY: string;
  readonly EDGE_VISITOR_CONNECTION_LIMIT: number;
  readonly EDGE_DRAIN_MS: number;
}

/** The visitor's side of a running edge. */
export interface VisitorSide {
  readonly httpPort: number;
  readonly httpsPort: number | undefined;
  /** How many requests run now. */
  running(): number;
  /** Visitors' open connections, by listener. */
  sockets(): Readonly<Record<string, number>>;
  /** Ends what lies still too long; called each second, and by tests with a time of theirs. */
  sweep(now?: number): void;
  /** Ends what visitors may not have open any more at these names. @param names left out: at all */
  recheck(names?: ReadonlySet<string>): Promise<void>;
  /** Ends what is open at suspended proxies behind these tunnels. */
  recheckTunnels(tunnelIds: ReadonlySet<string>): Promise<void>;
  /** Takes nothing new, lets what runs finish within EDGE_DRAIN_MS, then cuts the rest. */
  stop(): Promise<void>;
}

const sweepMs = 1_000;
/** How long a visitor who has just connected may take to send their request to an edge that stops. */
const firstRequestMs = 1_000;

/**
 * Listens for visitors.
 * @param requests where requests that have ended are recorded; null: nowhere
 * @param front with it the panel is served too, with certificates of Talpa's own
 * @throws Error when a port is taken or a certificate cannot be read.
 */
export async function startVisitorSide(
  settings: VisitorSettings,
  ports: TunnelPorts,
  wall: Wall,
  traffic: Traffic,
  log: Log,
  front: Front | null = null,
  requests: RequestLog | null = null,
): Promise<VisitorSide> {
  const running = createRunning(settings);
  const limits = createLimits(settings);
  const readVisitor = createVisitorReader(settings.EDGE_TRUST_PROXY);
  const bodyLimit = settings.EDGE_BODY_LIMIT_BYTES;
  const handlers = createHandlers({
    ...ports,
    wall,
    traffic,
    inquire: createInquiry(ports, traffic),
    requests,
    running,
    log,
    limits,
    bodyLimit,
    readVisitor,
  });
  const { EDGE_HOST } = settings;
  const listeners: VisitorListener[] = [];
  const connections = {
    limit: settings.EDGE_VISITOR_CONNECTION_LIMIT,
    isProxy: proxyCheckOf(trustProxyOf(settings.EDGE_TRUST_PROXY)),
  };
  const httpPort = settings.EDGE_HTTP_PORT ?? (front ? 80 : settings.TUNNEL_PUBLIC_PORT);
  const plain = front ? createEntrance({ ...ports, front, limits, readVisitor, log }) : handlers;
  const http = await listenHttp(plain, { host: EDGE_HOST, port: httpPort, connections });
  listeners.push(http);
  let https: VisitorListener | undefined;
  const httpsPort = settings.EDGE_HTTPS_PORT ?? (front ? 443 : undefined);
  if (httpsPort !== undefined) {
    const secure = front ? withPanel(handlers, front, readVisitor) : handlers;
    const address = { host: EDGE_HOST, port: httpsPort, connections };
    try {
      https = await listenHttps(secure, address, certificateOf(settings, front, limits, log));
    } catch (error) {
      http.close();
      throw error;
    }
    listeners.push(https);
  }
  const timer = setInterval(() => running.sweep(), sweepMs);
  return {
    httpPort: http.port,
    httpsPort: https?.port,
    running: () => running.count() + (front?.panel.count() ?? 0),
    sockets: () => ({ http: http.sockets(), ...(https ? { https: https.sockets() } : {}) }),
    sweep: (now) => running.sweep(now),
    recheck: (names) => {
      wall.forget();
      return running.recheck(ports, ({ hostname }) => names?.has(hostname) ?? true);
    },
    recheckTunnels: (tunnelIds) => running.recheck(ports, ({ tunnelId }) => tunnelIds.has(tunnelId)),
    stop: async () => {
      clearInterval(timer);
      for (const listener of listeners) listener.close();
      const first = Math.min(firstRequestMs, settings.EDGE_DRAIN_MS);
      await Promise.race([Promise.all(listeners.map(({ closed }) => closed)), sleep(first)]);
      const left = settings.EDGE_DRAIN_MS - first;
      await Promise.all([running.drain(left), front?.panel.drain(left)]);
      for (const listener of listeners) listener.destroy();
    },
  };
}

function certificateOf(
  { EDGE_TLS_CERT: certFile, EDGE_TLS_KEY: keyFile }: VisitorSettings,
  front: Front | null,
  limits: Limits,
  log: Log,
): CertificateSource {
  const files = certFile && keyFile ? certificateOfFiles({ certFile, keyFile }, log) : null;
  if (front)
    return certificateByName(front.certificates.wait, files, async (host, address) =>
      // The look for a challenge asks the database: it counts as a page.
      limits.mayGetPage(address) ? front.findTlsChallenge(host) : null,
    );
  if (!files) throw new Error('EDGE_HTTPS_PORT needs EDGE_TLS_CERT and EDGE_TLS_KEY, or ACME_EMAIL');
  return files;
}
