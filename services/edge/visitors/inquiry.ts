import { randomBytes } from 'node:crypto';
import { boundedCache } from '@talpa/service-kit/bounded-cache';
import type { RequestStream, StreamReceiver } from '../http2/connection.ts';
import { errorCodes } from '../http2/errors.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { createFrameReader, frameOf, frameTypes } from './inquiry-frames.ts';
import { problemIn } from './origin-problems.ts';
import type { TunnelConnection, TunnelPorts } from './ports.ts';
import { askForWebSocket } from './websocket.ts';

/** Finds out why a connector does not reach a panel. A 502 of theirs does not say it, their log does. */
export type Inquiry = (whose: Whose) => void;
interface Whose {
  readonly proxyId: string;
  readonly tunnelId: string;
  readonly hostname: string;
}

/** Where connectors serve their own log, to `cloudflared tail`. No host of a visitor is called so. */
const logHost = 'management.argotunnel.com';
/** The connector of a proxy whose panel is away is asked so often at most, in ms. */
const pauseMs = 30_000;
const giveUpMs = 3_000;
const atOnce = 20;
const mostProxies = 50_000;

/**
 * Reads a connector's log while one request of ours fails as the visitor's did. Of what it says only the kind of the problem is
 * kept. A connector that serves no log, or a log that names nothing we know, leaves the problem unknown.
 */
export function createInquiry(
  { pick, findRule }: Pick<TunnelPorts, 'pick' | 'findRule'>,
  traffic: Traffic,
): Inquiry {
  const asked = boundedCache<string, true>(mostProxies, { ttl: pauseMs });
  let running = 0;
  const inquire = async ({ proxyId, tunnelId, hostname }: Whose) => {
    running += 1;
    try {
      const [connection, rule] = [await pick(tunnelId), await findRule(tunnelId, hostname)];
      const error = connection && rule !== null && (await errorOf(connection, { tunnelId, hostname, rule }));
      const problem = error && problemIn(error);
      if (problem) traffic.trackProblem(proxyId, problem);
    } catch {
      // The connection takes no more requests: the next visitor asks again.
      asked.delete(proxyId);
    } finally {
      running -= 1;
    }
  };
  return (whose) => {
    if (running >= atOnce || asked.has(whose.proxyId)) return;
    asked.set(whose.proxyId, true);
    void inquire(whose);
  };
}

/** What a connector writes into its log about a request of ours; null: nothing in time. */
async function errorOf(
  connection: TunnelConnection,
  { tunnelId, hostname, rule }: Omit<Whose, 'proxyId'> & { readonly rule: number },
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const streams: RequestStream[] = [];
  const timer = setTimeout(() => resolve(null), giveUpMs);
  const open = (fields: Record<string, string>, receiver: Partial<StreamReceiver>, endStream: boolean) => {
    const nothing = () => {};
    const whole = { onResponse: nothing, onData: nothing, onEnd: nothing, onClose: nothing, ...receiver };
    const request = { ':method': 'GET', ':scheme': 'https', ':path': '/', ...fields };
    const stream = connection.openRequest(request, whole, { endStream });
    streams.push(stream);
    return stream;
  };
  let hasAsked = false;
  /** Once: a hostile connector may send any number of pongs. */
  const fail = () => {
    if (!hasAsked) open({ ':method': 'HEAD', ':authority': hostname }, {}, true);
    hasAsked = true;
  };
  const read = createFrameReader({
    // It has read our wish before this: what fails from now on is in what it sends.
    pong: fail,
    text: (message) => {
      const error = originErrorIn(message, rule);
      if (error !== null) resolve(error);
    },
    broken: () => resolve(null),
  });
  try {
    const fields = { ':authority': logHost, ':path': `/logs?access_token=${tokenFor(tunnelId)}` };
    askForWebSocket(fields);
    const log = open(
      fields,
      {
        onResponse: ({ ':status': status }) => status !== '200' && resolve(null),
        onData: read,
        onClose: () => resolve(null),
      },
      false,
    );
    log.write(frameOf(frameTypes.text, JSON.stringify(wish)));
    log.write(frameOf(frameTypes.ping, ''));
    return await promise;
  } finally {
    clearTimeout(timer);
    for (const stream of streams) stream.reset(errorCodes.cancel);
  }
}

/** The first that is sent: which lines of the log. */
const wish = { type: 'start_streaming', filters: { level: 'error', events: ['http'] } };

/** Connectors leave it to the edge, which alone reaches them, to check the signature. */
function tokenFor(tunnelId: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { tun: { id: tunnelId, account_tag: 'talpa' }, actor: { id: 'edge', support: false } };
  return [part({ alg: 'ES256', typ: 'JWT' }), part(claims), randomBytes(64).toString('base64url')].join('.');
}

/** The error of the first line about the origin of a rule: others’ may be in it; null: there is none. */
function originErrorIn(message: string, rule: number): string | null {
  const { logs } = JSON.parse(message) as {
    readonly logs?: readonly {
      readonly fields?: { readonly error?: unknown; readonly ingressRule?: unknown };
    }[];
  };
  const line = logs?.find(({ fields }) => fields?.ingressRule === rule);
  return typeof line?.fields?.error === 'string' ? line.fields.error : null;
}
