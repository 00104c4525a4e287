import type { Log } from '@talpa/service-kit/log';
import type { Traffic } from '../traffic/traffic.ts';
import { createHandlers } from './handler.ts';
import { createLimits, type LimitSettings } from './limits.ts';
import { listenHttp, listenHttps, type VisitorListener } from './listen.ts';
import type { TunnelPorts } from './ports.ts';
import { createRunning, type TimeSettings } from './running.ts';
import { createProxyCheck, createVisitorReader } from './visitor.ts';

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
  /** Takes nothing new, lets what runs finish within EDGE_DRAIN_MS, then cuts the rest. */
  stop(): Promise<void>;
}

const sweepMs = 1_000;

/** Listens for visitors. @throws Error when a port is taken or a certificate cannot be read. */
export async function startVisitorSide(
  settings: VisitorSettings,
  ports: TunnelPorts,
  traffic: Traffic,
  log: Log,
): Promise<VisitorSide> {
  const running = createRunning(settings);
  const handlers = createHandlers({
    ...ports,
    traffic,
    running,
    log,
    limits: createLimits(settings),
    bodyLimit: settings.EDGE_BODY_LIMIT_BYTES,
    readVisitor: createVisitorReader(settings.EDGE_TRUST_PROXY),
  });
  const { EDGE_HOST, EDGE_HTTP_PORT, EDGE_HTTPS_PORT, EDGE_TLS_CERT, EDGE_TLS_KEY } = settings;
  const listeners: VisitorListener[] = [];
  const connections = {
    limit: settings.EDGE_VISITOR_CONNECTION_LIMIT,
    isProxy: createProxyCheck(settings.EDGE_TRUST_PROXY),
  };
  const httpPort = EDGE_HTTP_PORT ?? settings.TUNNEL_PUBLIC_PORT;
  const http = await listenHttp(handlers, { host: EDGE_HOST, port: httpPort, connections });
  listeners.push(http);
  let https: VisitorListener | undefined;
  if (EDGE_HTTPS_PORT !== undefined) {
    if (!EDGE_TLS_CERT || !EDGE_TLS_KEY)
      throw new Error('EDGE_HTTPS_PORT needs EDGE_TLS_CERT and EDGE_TLS_KEY');
    const certificate = { certFile: EDGE_TLS_CERT, keyFile: EDGE_TLS_KEY };
    const address = { host: EDGE_HOST, port: EDGE_HTTPS_PORT, connections };
    https = await listenHttps(handlers, address, certificate, log).catch((error) => {
      http.close();
      throw error;
    });
    listeners.push(https);
  }
  const timer = setInterval(() => running.sweep(), sweepMs);
  return {
    httpPort: http.port,
    httpsPort: https?.port,
    running: () => running.count(),
    sockets: () => ({ http: http.sockets(), ...(https ? { https: https.sockets() } : {}) }),
    sweep: (now) => running.sweep(now),
    stop: async () => {
      clearInterval(timer);
      for (const listener of listeners) listener.close();
      await running.drain(settings.EDGE_DRAIN_MS);
      for (const listener of listeners) listener.destroy();
    },
  };
}
