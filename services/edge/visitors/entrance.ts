import type { EdgeErrorCode } from '@talpa/contracts';
import type { Log } from '@talpa/service-kit/log';
import { challengeTokenIn } from '../certificates/challenges.ts';
import type { Front } from './front.ts';
import { readHost } from './host.ts';
import type { Limits } from './limits.ts';
import type { Handlers } from './listen.ts';
import { newRequestId } from './parse-request.ts';
import type { TunnelPorts } from './ports.ts';
import {
  cutVisitor,
  isGone,
  leaveUpload,
  respondWithPage,
  responseOn,
  type VisitorResponse,
  writeHead,
} from './respond.ts';
import { isProxied, type Visitor, type VisitorRequest } from './visitor.ts';

interface EntranceParts extends Pick<TunnelPorts, 'findRoute' | 'isKnown'> {
  readonly front: Front;
  readonly limits: Limits;
  readonly readVisitor: (request: VisitorRequest) => Visitor;
  readonly log: Log;
}

/**
 * Port 80 where Talpa has certificates of its own: it answers the authority's challenges and sends all others to
 * https. Nothing of the panel or a tunnel is to be had here.
 */
export function createEntrance(parts: EntranceParts): Handlers {
  const handle = (request: VisitorRequest, response: VisitorResponse) => {
    const requestId = newRequestId();
    enter(parts, request, response, requestId).catch((error: unknown) => {
      parts.log.error({ err: error, requestId }, 'request on port 80 failed: internal error');
      if (response.headersSent) response.destroy();
      else respondWithPage(request, response, requestId, 'connection_lost');
    });
  };
  return {
    request: handle,
    expectant: handle,
    upgrade: (request) => {
      request.socket.on('error', () => {});
      handle(request, responseOn(request));
    },
    connect: handle,
  };
}

async function enter(
  parts: EntranceParts,
  request: VisitorRequest,
  response: VisitorResponse,
  requestId: string,
): Promise<void> {
  const { front, limits } = parts;
  const { address } = parts.readVisitor(request);
  const path = request.url ?? '/';
  const host = readHost(request.headers.host ?? '')?.name;
  const cut = () => cutVisitor(request, response, isProxied(request, address));
  const refuse = (code: EdgeErrorCode, more: { readonly seconds?: number } = {}) => {
    if (isGone(response)) return;
    if (limits.mayGetPage(address))
      respondWithPage(request, response, requestId, code, { host: host ?? '', ...more });
    else cut();
  };
  if (!host || !path.startsWith('/')) return refuse('bad_request');
  const token = challengeTokenIn(path);
  if (token) {
    // The look for a token asks the database: it counts as a page.
    if (!limits.mayGetPage(address)) return cut();
    const answer = await front.findChallenge(host, token);
    if (answer !== null) return respondWithText(request, response, answer);
  }
  const isPanel = host === front.panelHost;
  if (!isPanel && !parts.isKnown(host) && !limits.mayGetPage(address)) return cut();
  const isThere = isPanel || (await parts.findRoute(host)) !== null;
  if (!isThere) return refuse('unknown_host');
  const { state } = await front.certificates.find(host);
  if (state === 'failed') return refuse('certificate_failed');
  if (state !== 'ready') return refuse('certificate_pending', { seconds: 5 });
  const port = isPanel ? front.panelPort : front.tunnelPort;
  redirect(request, response, `https://${host}${port === 443 ? '' : `:${port}`}${path}`);
}

function respondWithText(request: VisitorRequest, response: VisitorResponse, text: string): void {
  writeHead(response, 200, ['content-type', 'text/plain', 'cache-control', 'no-store']);
  response.end(text);
  leaveUpload(request, response);
}

/** For any method: a browser repeats it as it was. */
function redirect(request: VisitorRequest, response: VisitorResponse, location: string): void {
  writeHead(response, 308, ['location', location, 'cache-control', 'no-store', 'content-length', '0']);
  response.end();
  leaveUpload(request, response);
}
