import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { EdgeErrorCode } from '@talpa/contracts';
import type { Log } from '@talpa/service-kit/log';
import { edgeMeter } from '../metrics.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { Exchange } from './exchange.ts';
import { maximumRequestHeaders, sizeOfRequest } from './header-size.ts';
import { isLongLived, type Limits } from './limits.ts';
import type { PageParams } from './pages/page.ts';
import { newRequestId, parseRequest } from './parse-request.ts';
import type { TunnelPorts } from './ports.ts';
import { cutVisitor, respondWithPage, responseOn, type VisitorResponse } from './respond.ts';
import type { RunningSet } from './running.ts';
import { isProxied, type Visitor, type VisitorRequest } from './visitor.ts';
import { askForWebSocket, switchSocket, switchStream } from './websocket.ts';

/** What the visitor's side is made of. */
export interface VisitorParts extends TunnelPorts {
  readonly limits: Limits;
  readonly running: RunningSet;
  readonly traffic: Traffic;
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
  const handle = (arrived: Arrived) => {
    const requestId = newRequestId();
    pass(parts, arrived, requestId).catch((error: unknown) => {
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
      const release = () => response.detachSocket(socket);
      socket.once('close', () => response.destroy());
      handle({ request, response, upgrade: (fields) => switchSocket(request, head, release, fields) });
    },
    /** An HTTP/2 request for a WebSocket. */
    connect: (request: Http2ServerRequest, response: Http2ServerResponse) =>
      handle({ request, response, upgrade: (fields) => switchStream(response, fields) }),
  };
}

async function pass(parts: VisitorParts, arrived: Arrived, requestId: string): Promise<void> {
  const { request, response, upgrade } = arrived;
  const visitor = parts.readVisitor(request);
  const { address } = visitor;
  const cut = () => cutVisitor(request, response, isProxied(request, address));
  const refuse = (code: EdgeErrorCode, params: PageParams = {}): void => {
    if (parts.limits.mayGetPage(address)) respondWithPage(request, response, requestId, code, params);
    else cut();
  };
  if (sizeOfRequest(request.url ?? '', request.rawHeaders) > maximumRequestHeaders) {
    edgeMeter.limited('head');
    return refuse('request_head_too_large');
  }
  const parsed = parseRequest(request, visitor, requestId);
  if (!parsed) return refuse('bad_request');
  const { host, method, path, length } = parsed;
  const named = { host: host.name };
  // The look for an unknown host asks the database: it counts as the page that will follow.
  if (!parts.isKnown(host.name) && !parts.limits.mayGetPage(address)) return cut();
  const route = await parts.findRoute(host.name);
  if (response.destroyed) return;
  if (!route) return void respondWithPage(request, response, requestId, 'unknown_host', named);
  if (route.suspended) return refuse('suspended', named);
  const { tunnelId } = route;
  let longLived = isLongLived(method, path, request.headers.accept, upgrade !== undefined);
  const refusal = parts.limits.enter({ tunnelId, address, method, path, length, longLived });
  if (refusal) return refuse(refusal.code, refusal);
  if (upgrade) askForWebSocket(parsed.fields);
  const exchange = new Exchange({
    request,
    response,
    parsed: upgrade ? { ...parsed, hasBody: false } : parsed,
    tunnelId,
    pick: parts.pick,
    traffic: parts.traffic,
    bodyLimit: parts.bodyLimit,
    expectsContinue: arrived.expectsContinue ?? false,
    upgrade,
    onEnd: () => {
      parts.running.remove(exchange);
      parts.limits.leave({ tunnelId, address, longLived });
    },
    onLong: () => {
      longLived ||= parts.limits.becomeLongLived({ tunnelId, address });
    },
  });
  parts.running.add(exchange);
  await exchange.attempt();
}
