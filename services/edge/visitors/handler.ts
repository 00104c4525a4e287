import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { EdgeErrorCode, RequestReason } from '@talpa/contracts';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';
import { edgeMeter } from '../metrics.ts';
import type { EndedRequest, RequestLog } from '../requests/request-log.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { Exchange } from './exchange.ts';
import { maximumRequestHeaders, sizeOfRequest } from './header-size.ts';
import type { Inquiry } from './inquiry.ts';
import { isLongLived, type Limits, type Refusal } from './limits.ts';
import type { PageParams } from './pages/page.ts';
import { newRequestId, type ParsedRequest, parseRequest } from './parse-request.ts';
import type { Gate, TunnelPorts } from './ports.ts';
import { isPreflight, stripPreflight } from './preflight.ts';
import { cutVisitor, isGone, respondWithPage, responseOn, type VisitorResponse } from './respond.ts';
import { RouteUnavailable } from './route-unavailable.ts';
import type { RunningSet } from './running.ts';
import { isProxied, type Visitor, type VisitorRequest } from './visitor.ts';
import type { Wall } from './wall/wall.ts';
import { askForWebSocket, onLeave, switchSocket, switchStream } from './websocket.ts';

/** What the visitor's side is made of. */
export interface VisitorParts extends TunnelPorts {
  readonly limits: Limits;
  readonly running: RunningSet;
  readonly wall: Wall;
  readonly traffic: Traffic;
  readonly inquire: Inquiry;
  /** Null: nothing is recorded. */
  readonly requests: RequestLog | null;
  readonly bodyLimit: number;
  readonly readVisitor: (request: VisitorRequest) => Visitor;
  readonly log: Log;
}

interface Arrived {
  readonly request: VisitorRequest;
  readonly response: VisitorResponse;
  readonly expectsContinue?: boolean;
  readonly upgrade?: (fields: readonly string[]) => Duplex;
}

/** Makes the handlers of a visitor's requests: plain ones, and those that want a WebSocket. */
export function createHandlers(parts: VisitorParts) {
  const logUnavailable = onceAMinute(({ cause, message }: RouteUnavailable) =>
    parts.log.warn({ err: cause }, message),
  );
  const handle = (arrived: Arrived) => {
    const requestId = newRequestId();
    pass(parts, arrived, requestId).catch((error: unknown) => {
      if (error instanceof RouteUnavailable) {
        logUnavailable(error);
        if (parts.limits.mayGetPage(parts.readVisitor(arrived.request).address))
          respondWithPage(arrived.request, arrived.response, requestId, 'route_unavailable');
        else arrived.response.destroy();
        return;
      }
      parts.log.error({ err: error, requestId }, 'visitor request failed: internal error');
      if (arrived.response.headersSent) arrived.response.destroy();
      else respondWithPage(arrived.request, arrived.response, requestId, 'connection_lost');
    });
  };
  return {
    request: (request: VisitorRequest, response: VisitorResponse) => handle({ request, response }),
    expectant: (request: VisitorRequest, response: VisitorResponse) =>
      handle({ request, response, expectsContinue: true }),
    /** An HTTP/1.1 request for a WebSocket; Node has handed over its socket. */
    upgrade: (request: IncomingMessage, head: Buffer) => {
      const { socket } = request;
      socket.on('error', () => {});
      const response = responseOn(request);
      const stopWatching = onLeave(socket, () => socket.destroy());
      const release = () => {
        stopWatching();
        response.detachSocket(socket);
      };
      socket.once('close', () => response.destroy());
      handle({ request, response, upgrade: (fields) => switchSocket(request, head, release, fields) });
    },
    /** An HTTP/2 request for a WebSocket. */
    connect: (request: Http2ServerRequest, response: Http2ServerResponse) =>
      handle({ request, response, upgrade: (fields) => switchStream(response, fields) }),
  };
}

type Ended = Pick<EndedRequest, 'status' | 'reason' | 'begunAt' | 'bytesIn' | 'bytesOut'>;

const reasonOf = (refusal: Refusal): RequestReason =>
  refusal.code === 'too_many_requests' ? `limit_${refusal.limit}` : refusal.code;

async function pass(parts: VisitorParts, arrived: Arrived, requestId: string): Promise<void> {
  const { request, response, upgrade } = arrived;
  const visitor = parts.readVisitor(request);
  const { address } = visitor;
  const cut = () => cutVisitor(request, response, isProxied(request, address));
  const refuse = (code: EdgeErrorCode, params: PageParams = {}): number | null => {
    const isJson = code === 'sign_in_required';
    if (parts.limits.mayGetPage(address))
      return respondWithPage(request, response, requestId, code, params, isJson);
    cut();
    return null;
  };
  if (sizeOfRequest(request.url ?? '', request.rawHeaders) > maximumRequestHeaders) {
    edgeMeter.limited('head');
    return void refuse('request_head_too_large');
  }
  const parsed = parseRequest(request, visitor, requestId);
  if (!parsed) return void refuse('bad_request');
  const { host, method, path, length } = parsed;
  const named = { host: host.name };
  // The look for an unknown host asks the database: it counts as the page that will follow.
  if (!parts.isKnown(host.name) && !parts.limits.mayGetPage(address)) return cut();
  const route = await parts.findRoute(host.name);
  if (isGone(response)) return;
  if (!route) return void respondWithPage(request, response, requestId, 'unknown_host', named);
  const { proxyId, tunnelId, requestLog: mode = 'metadata' } = route;
  // Whose policy would judge?
  if (proxyId === null)
    throw new RouteUnavailable(
      undefined,
      `the DNS record of ${host.name} names no proxy that exists: nobody is let in`,
    );
  const record = (ended: Ended, rule: number | null = null) => {
    if (mode === 'off') return;
    const userAgent = request.headers['user-agent'];
    const { status, reason, begunAt, bytesIn, bytesOut } = ended;
    parts.requests?.record({
      proxyId,
      tunnelId,
      mode,
      requestId,
      method: upgrade ? 'GET' : method,
      path,
      address,
      userAgent,
      status,
      reason,
      rule,
      begunAt,
      bytesIn,
      bytesOut,
    });
  };
  const recordRefused = (reason: RequestReason, status: number | null, rule: number | null = null): void =>
    record({ status, reason, begunAt: performance.now(), bytesIn: 0, bytesOut: 0 }, rule);
  /** Refuses a request to a proxy, whose log says why. */
  const refuseFor = (
    reason: RequestReason,
    code: EdgeErrorCode,
    params: PageParams,
    rule: number | null = null,
  ): void => recordRefused(reason, refuse(code, params), rule);
  if (route.suspended) return refuseFor('suspended', 'suspended', named);
  let endsAt = Number.POSITIVE_INFINITY;
  let isIn = true;
  if (route.gate) {
    const passed = await passGate(parts, arrived, parsed, route.gate);
    if ('answered' in passed) return recordRefused('sign_in_required', passed.answered);
    if (isGone(response)) return;
    if ('refused' in passed)
      return refuseFor(passed.refused, passed.refused, { ...named, address }, passed.rule);
    endsAt = passed.endsAt;
    isIn = !passed.isPreflight;
  }
  // Only now: the message is for those whom the policy lets in. A suspension says nothing of the proxy, and asks nobody who they are.
  if (route.paused) return refuseFor('paused', 'paused', { ...named, ...(isIn && route.paused) });
  let longLived = isLongLived(method, path, request.headers.accept, upgrade !== undefined);
  const refusal = parts.limits.enter({ proxyId, address, method, path, length, longLived });
  if (refusal) return refuseFor(reasonOf(refusal), refusal.code, refusal);
  if (upgrade) askForWebSocket(parsed.fields);
  const exchange = new Exchange({
    request,
    response,
    parsed: upgrade ? { ...parsed, hasBody: false } : parsed,
    proxyId,
    tunnelId,
    gate: route.gate,
    endsAt,
    isAllowed: parts.wall.isAllowed,
    pick: parts.pick,
    traffic: parts.traffic,
    inquire: parts.inquire,
    bodyLimit: parts.bodyLimit,
    expectsContinue: arrived.expectsContinue ?? false,
    upgrade,
    onEnd: () => {
      parts.running.remove(exchange);
      parts.limits.leave({ proxyId, address, longLived });
      record(exchange);
    },
    onLong: () => {
      longLived ||= parts.limits.becomeLongLived({ proxyId, address });
    },
  });
  parts.running.add(exchange);
  // While the wall was asked it was not among what runs: a change then has not judged it.
  if (route.gate?.wall && (await parts.findRoute(host.name)) !== route)
    await parts.running.recheck(parts, (one) => one === exchange);
  if (!exchange.hasResponded) await exchange.attempt();
}

type Passage =
  | { readonly endsAt: number; readonly isPreflight?: true }
  | {
      readonly refused: 'access_denied' | 'ambiguous_path' | 'sign_in_required';
      readonly rule: number | null;
    }
  | { readonly answered: number | null };

/**
 * Asks a proxy's policy about a request.
 * @returns until when it may go on, why it may not, or with which status the wall has answered it (null: with none)
 */
async function passGate(
  { wall, limits }: VisitorParts,
  { request, response, upgrade, expectsContinue = false }: Arrived,
  parsed: ParsedRequest,
  gate: Gate,
): Promise<Passage> {
  const { path, visitor } = parsed;
  const isWalls = gate.wall !== null && wall.isOwn(path);
  const { outcome, reason, rule } = gate.judge({ address: visitor.address, path: isWalls ? null : path });
  if (outcome === 'deny' || (outcome === 'wall' && gate.wall === null))
    return { refused: reason === 'ambiguous_path' ? reason : 'access_denied', rule };
  if (gate.wall === null) return { endsAt: Number.POSITIVE_INFINITY };
  if (outcome === 'allow' && !isWalls) return { endsAt: Number.POSITIVE_INFINITY };
  // To look for a made-up secret costs as much as a page of the edge.
  const mayLook = () => limits.mayGetPage(visitor.address);
  const visit = isWalls
    ? null
    : await wall.passedOf(request, visitor.scheme, gate.wall, visitor.address, mayLook);
  if (visit) return { endsAt: visit.endsAt };
  if (!isWalls && gate.wall.preflights && upgrade === undefined && isPreflight(parsed))
    return { endsAt: stripPreflight(parsed.fields), isPreflight: true };
  const isUpgrade = upgrade !== undefined;
  const met = { request, response, parsed, wall: gate.wall, isUpgrade, expectsContinue };
  // What the wall answers is a page of the edge, and counts as one.
  if (isGone(response) || !limits.mayGetPage(visitor.address)) {
    cutVisitor(request, response, isProxied(request, visitor.address));
    return { answered: null };
  }
  const isAnswered = isWalls ? await wall.answer(met) : await wall.showTo(met);
  return isAnswered ? { answered: response.statusCode } : { refused: 'sign_in_required', rule: null };
}
