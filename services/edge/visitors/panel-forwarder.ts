import {
  Agent,
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import type { Log } from '@talpa/service-kit/log';
import { type Fields, isHopByHop } from './fields.ts';
import { newRequestId, parseRequest } from './parse-request.ts';
import {
  breakOff,
  isGone,
  leaveUpload,
  respondWithPage,
  type VisitorResponse,
  writeHead,
} from './respond.ts';
import type { Visitor, VisitorRequest } from './visitor.ts';

/** Passes requests for the panel's host on to the gateway. */
export interface PanelForwarder {
  forward(request: VisitorRequest, response: VisitorResponse, visitor: Visitor): void;
  /** How many requests run now. */
  count(): number;
  /** Ends streams of events, which never end themselves, and waits for the rest. */
  drain(deadlineMs: number): Promise<void>;
}

const maximumSockets = 1_024;
/** The gateway closes a connection at rest after this time at the earliest. */
const idleMs = 4_000;

/** @param target EDGE_PANEL_URL */
export function createPanelForwarder(target: URL, log: Log): PanelForwarder {
  const agent = new Agent({ keepAlive: true, maxSockets: maximumSockets, timeout: idleMs });
  const running = new Set<Passing>();
  let whenEmpty = () => {};
  return {
    forward: (request, response, visitor) => {
      const requestId = newRequestId();
      const parsed = parseRequest(request, visitor, requestId);
      if (!parsed) return void respondWithPage(request, response, requestId, 'bad_request');
      const passing: Passing = { isStream: false, end: () => {} };
      running.add(passing);
      response.once('close', () => {
        running.delete(passing);
        if (running.size === 0) whenEmpty();
      });
      pass({
        agent,
        target,
        request,
        response,
        passing,
        method: parsed.method,
        path: parsed.path,
        hasBody: parsed.hasBody,
        fields: panelFields(parsed.fields, parsed.host.authority),
        failed: (error) => {
          log.warn({ err: error, requestId }, 'panel not reachable: check EDGE_PANEL_URL and the gateway');
          respondWithPage(request, response, requestId, 'panel_unreachable');
        },
      });
    },
    count: () => running.size,
    drain: async (deadlineMs) => {
      for (const one of running) if (one.isStream) one.end();
      if (running.size > 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        whenEmpty = resolve;
        const timer = setTimeout(resolve, deadlineMs);
        await promise;
        clearTimeout(timer);
      }
      agent.destroy();
    },
  };
}

/** A request under way. */
interface Passing {
  /** Its response is a stream of events. */
  isStream: boolean;
  end(): void;
}

interface PassParts {
  readonly agent: Agent;
  readonly target: URL;
  readonly request: VisitorRequest;
  readonly response: VisitorResponse;
  readonly passing: Passing;
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
  readonly fields: Fields;
  failed(error: Error): void;
}

/** What the gateway gets: the headers of the visitor, and whom the edge has seen. */
function panelFields(fields: Fields, authority: string): Fields {
  const kept = Object.entries(fields).filter(([name]) => !name.startsWith(':') && !name.startsWith('cf-'));
  return { ...Object.fromEntries(kept), host: authority };
}

function pass(parts: PassParts): void {
  const { request, response, target, passing } = parts;
  const { hostname: host, port } = target;
  const { agent, method, path, fields: headers } = parts;
  const passed = ask({ agent, host, port: port || 80, method, path, headers, setHost: false });
  const left = () => passed.destroy();
  response.once('close', left);
  passed.once('response', (answer) => sendAnswer(parts, answer));
  passed.on('error', (error) => {
    if (isGone(response)) return;
    if (response.headersSent) return breakOff(response);
    // The gateway had closed the connection while it was at rest: nothing of the request was read.
    if (passed.reusedSocket && !parts.hasBody && isReset(error)) {
      response.off('close', left);
      return pass(parts);
    }
    parts.failed(error);
  });
  passing.end = () => breakOff(response);
  sendBody(request, passed, parts.hasBody);
}

const isReset = (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || error.code === 'EPIPE';

function sendBody(request: VisitorRequest, passed: ClientRequest, hasBody: boolean): void {
  request.on('error', () => {});
  if (hasBody) request.pipe(passed);
  else passed.end();
}

function sendAnswer({ request, response, passing }: PassParts, answer: IncomingMessage): void {
  passing.isStream = /^text\/event-stream/i.test(answer.headers['content-type'] ?? '');
  const fields: string[] = [];
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    const name = answer.rawHeaders[index] as string;
    if (!isHopByHop(name.toLowerCase())) fields.push(name, answer.rawHeaders[index + 1] as string);
  }
  writeHead(response, answer.statusCode ?? 502, fields);
  answer.once('close', () => {
    if (!answer.complete && !isGone(response)) breakOff(response);
  });
  // Without a body HTTP/2 has ended the stream with the head.
  if (response instanceof Http2ServerResponse && response.writableEnded) return void answer.resume();
  answer.pipe(response as ServerResponse);
  leaveUpload(request, response);
}
