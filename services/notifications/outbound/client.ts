import { Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { DeliveryFailure } from '@talpa/contracts';
import { isOpened, isPublic, type Ranges } from './addresses.ts';

type OutboundFailure = Exclude<DeliveryFailure, 'unwritten'>;

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type OutboundResult = { readonly durationMs: number } & (
  | {
      readonly status: number;
      /** The beginning of the body. */
      readonly text: string;
      readonly retryAfter: string | undefined;
      readonly failure: null;
    }
  | {
      readonly status: null;
      readonly failure: OutboundFailure;
      /** All of it was sent, and no answer came: the receiver may have it. */
      readonly isUncertain: boolean;
    }
);

/** A request to a server that a user has named. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundResult>;

export const outboundTotalMs = 10_000;
const readBytes = 64 * 1_024;
const keptBytes = 1_024;
const webPorts = [80, 443];
/** Below are the ports of mail and other servers that could be made to do something by an HTTP request. */
const firstFreePort = 1_024;

/** A request that must not be made, or got no answer. */
class Refused extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure) {
    super(failure);
    this.failure = failure;
  }
}

/**
 * Makes POST requests to servers of the public Internet and to none in our own networks. The name is resolved here, every
 * address is checked, and the connection is made to one of the checked addresses: no second look-up can give another one.
 * No redirect is followed.
 * @param opened ranges that are allowed although they are not public, also by plain HTTP
 */
export function createOutbound(
  opened: Ranges,
  { totalMs = outboundTotalMs, servers }: { totalMs?: number; servers?: readonly string[] } = {},
): Outbound {
  return async ({ url, headers, body }) => {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(totalMs);
    const progress = { isSent: false };
    try {
      const target = new URL(url);
      const addresses = await allowedAddresses(target, opened, signal, servers);
      const answer = await post(target, addresses, { headers, body }, signal, progress);
      const text = await beginningOf(answer, signal);
      const { statusCode: status = 0, headers: given } = answer;
      return { status, text, retryAfter: given['retry-after'], failure: null, durationMs: since(startedAt) };
    } catch (error) {
      const failure = signal.aborted ? 'timeout' : failureOf(error);
      return { status: null, failure, isUncertain: progress.isSent, durationMs: since(startedAt) };
    }
  };
}

const since = (startedAt: number) => Math.round(performance.now() - startedAt);

function failureOf(error: unknown): OutboundFailure {
  if (error instanceof Refused) return error.failure;
  const { code = '' } = error as NodeJS.ErrnoException;
  return /CERT|UNABLE_TO|SELF_SIGNED|ALTNAME/.test(code) ? 'certificate' : 'connection';
}

/** The addresses of a server. @throws Refused unless all of them may be reached */
async function allowedAddresses(
  { protocol, hostname, port: given }: URL,
  opened: Ranges,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<readonly string[]> {
  const port = Number(given || (protocol === 'https:' ? 443 : 80));
  if (!webPorts.includes(port) && port < firstFreePort) throw new Refused('port_not_allowed');
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) ? [host] : await resolve(host, signal, servers);
  if (addresses.length === 0) throw new Refused('name_not_found');
  if (!addresses.every((address) => isPublic(address) || isOpened(address, opened)))
    throw new Refused('address_not_allowed');
  if (protocol !== 'https:' && !addresses.every((address) => isOpened(address, opened)))
    throw new Refused('https_required');
  return addresses;
}

/** All addresses of a name, by the network's DNS servers. */
async function resolve(
  name: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function post(
  target: URL,
  addresses: readonly string[],
  { headers, body }: Pick<OutboundRequest, 'headers' | 'body'>,
  signal: AbortSignal,
  progress: { isSent: boolean },
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const { request } = target.protocol === 'https:' ? https : http;
  return new Promise((fulfil, reject) => {
    const outgoing = request(target, {
      method: 'POST',
      headers: {
        'user-agent': 'Talpa',
        ...headers,
        'content-length': String(Buffer.byteLength(body)),
      },
      // A kept connection could be one to an address of before.
      agent: false,
      // An address in the URL is connected to without this; it is a checked one, too.
      lookup: (_name, options, done) => {
        const [first] = known;
        if (options.all || !first) done(null, known);
        else done(null, first.address, first.family);
      },
      signal,
    });
    outgoing.on('response', fulfil);
    outgoing.on('error', reject);
    outgoing.on('finish', () => {
      progress.isSent = true;
    });
    outgoing.end(body);
  });
}

/** Reads no more of the body than may be read. The status has come: whatever becomes of the body, it is the answer. */
async function beginningOf(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  let read = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      if (read < keptBytes) parts.push(part);
      read += part.length;
      if (read >= readBytes || signal.aborted) break;
    }
  } catch {
    // Closed midway, or too slow.
  }
  answer.destroy();
  return Buffer.concat(parts).subarray(0, keptBytes).toString('utf8');
}
