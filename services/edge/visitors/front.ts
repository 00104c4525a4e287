import type { SecureContext } from 'node:tls';
import { giveGoAhead } from '@talpa/service-kit/pipelining';
import type { Certificates } from '../certificates/certificates.ts';
import type { PanelForwarder } from '../panel/forward.ts';
import { readHost } from './host.ts';
import type { Handlers } from './listen.ts';
import { newRequestId } from './parse-request.ts';
import { respondWithPage, responseOn } from './respond.ts';
import type { Visitor, VisitorRequest } from './visitor.ts';

/** What an edge has where it is the whole public entrance: with ACME_EMAIL. */
export interface Front {
  readonly certificates: Certificates;
  /** What the authority must find at a challenge's address; null when it has none open there. */
  findChallenge(host: string, token: string): Promise<string | null>;
  /** What it must be shown for a name on port 443; null when it has none open there. */
  findTlsChallenge(host: string): Promise<SecureContext | null>;
  readonly panel: PanelForwarder;
  readonly panelHost: string;
  /** The ports that browsers use for https. */
  readonly panelPort: number;
  readonly tunnelPort: number;
}

/** Gives requests for the panel's host to the gateway, and all others to the tunnels. */
export function withPanel(
  tunnels: Handlers,
  front: Front,
  readVisitor: (request: VisitorRequest) => Visitor,
): Handlers {
  const isPanel = ({ headers }: VisitorRequest) =>
    readHost(String(headers[':authority'] ?? headers.host ?? ''))?.name === front.panelHost;
  return {
    request: (request, response) => {
      if (isPanel(request)) front.panel.forward(request, response, readVisitor(request));
      else tunnels.request(request, response);
    },
    expectant: (request, response) => {
      if (!isPanel(request)) return tunnels.expectant(request, response);
      giveGoAhead(response);
      front.panel.forward(request, response, readVisitor(request));
    },
    // The panel has no WebSockets.
    upgrade: (request, head) => {
      if (!isPanel(request)) return tunnels.upgrade(request, head);
      request.socket.on('error', () => {});
      respondWithPage(request, responseOn(request), newRequestId(), 'bad_request');
    },
    connect: (request, response) => {
      if (isPanel(request)) respondWithPage(request, response, newRequestId(), 'bad_request');
      else tunnels.connect(request, response);
    },
  };
}
