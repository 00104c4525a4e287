import { type IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerResponse } from 'node:http2';
import { TLSSocket } from 'node:tls';
import type { EdgeErrorCode } from '@talpa/contracts';
import { edgeMeter } from '../metrics.ts';
import { errorPage, type PageParams } from './pages/page.ts';
import { cutSession, resetStream } from './reset.ts';
import type { VisitorRequest } from './visitor.ts';

/** A response of HTTP/2 has no `destroyed`, whatever its types say: see `isGone`. */
export type VisitorResponse = ServerResponse | Omit<Http2ServerResponse, 'destroyed'>;

/** Whether the visitor has left: what is begun for them now would never hear of it. */
export function isGone(response: VisitorResponse): boolean {
  if (response instanceof ServerResponse) return response.destroyed;
  return response.stream.destroyed || response.stream.closed;
}

/** Writes status and headers. @throws Error when a header has a character that none may have. */
export function writeHead(response: VisitorResponse, status: number, fields: readonly string[]): void {
  if (response instanceof ServerResponse) {
    // Node closes the connection of a visitor who got no go-ahead, because a body may follow or not: this one has come.
    if (response.req.complete) (response as { _sent100?: boolean })._sent100 = true;
    response.writeHead(status, dispositionFirst(fields));
    return;
  }
  const grouped: Record<string, string | string[]> = {};
  for (let index = 0; index < fields.length; index += 2) {
    const name = (fields[index] as string).toLowerCase();
    const before = grouped[name];
    const value = fields[index + 1] as string;
    grouped[name] = before === undefined ? value : [before, value].flat();
  }
  response.writeHead(status, grouped);
}

/** After a length Node reads a Content-Disposition's bytes as UTF-8, and changes or refuses them: it goes first. */
function dispositionFirst(fields: readonly string[]): string[] {
  const first: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (name.length === 19 && name.toLowerCase() === 'content-disposition')
      first.push(name, fields[index + 1] as string);
  }
  if (first.length === 0) return fields as string[];
  return [
    ...first,
    ...fields.filter((_, index) => fields[index - (index % 2)]?.toLowerCase() !== 'content-disposition'),
  ];
}

/** A page that is not read within this time is given up: its connection would stay open forever. */
const unreadPageMs = 30_000;

/** Responds with one of the edge's own pages. @param isJson as JSON, whatever the visitor asks for */
export function respondWithPage(
  request: VisitorRequest,
  response: VisitorResponse,
  requestId: string,
  code: EdgeErrorCode,
  params: PageParams = {},
  isJson = false,
): number {
  edgeMeter.respondedItself(code);
  const { accept, 'accept-language': language } = request.headers;
  const page = errorPage(code, params, { accept, language, requestId, isJson });
  writeHead(response, page.status, [...page.fields, 'cf-ray', requestId]);
  if (request.method === 'HEAD') response.end();
  else response.end(page.body);
  const timer = setTimeout(() => cutVisitor(request, response, true), unreadPageMs);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
  leaveUpload(request, response);
  return page.status;
}

const uploadGraceMs = 5_000;

/** After a response to a request whose body is still coming: lets the response arrive, then ends the upload. */
export function leaveUpload(request: VisitorRequest, response: VisitorResponse): void {
  if (request.complete) return;
  if (response instanceof Http2ServerResponse) {
    response.once('finish', () => response.stream.close(constants.NGHTTP2_NO_ERROR));
    return;
  }
  // Closing at once would reset the connection before the visitor has read the response.
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), uploadGraceMs);
  timer.unref();
  request.once('close', () => request.complete && clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
}

/** Breaks a response off so that the visitor sees that it is not whole. */
export function breakOff(response: VisitorResponse): void {
  if (!(response instanceof ServerResponse)) {
    resetStream(response.stream, constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  const { socket, req } = response;
  // Without chunks a connection that just ends is the end of the body. TLS says so itself.
  if (req.httpVersion === '1.0' && socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else response.destroy();
}

/** Ends the connection of a visitor without a response. With HTTP/2 only the stream, if other visitors share the connection. */
export function cutVisitor(request: VisitorRequest, response: VisitorResponse, isShared: boolean): void {
  if (response instanceof ServerResponse) request.socket.destroy();
  else if (isShared) resetStream(response.stream, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  else if (response.stream.session) cutSession(response.stream.session);
}

/** A response to a request whose socket Node has handed over because it asked for an upgrade. */
export function responseOn(request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(request.socket);
  // Node no longer does it for a socket that it has handed over.
  const drained = () => response.emit('drain');
  request.socket.on('drain', drained);
  response.once('finish', () => {
    request.socket.off('drain', drained);
    response.detachSocket(request.socket);
    request.socket.destroySoon();
  });
  return response;
}
