import type { SecureContext } from 'node:tls';
import type { Sql } from '@talpa/service-kit/database/sql';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import type { Log } from '@talpa/service-kit/log';
import { giveGoAhead } from '@talpa/service-kit/pipelining';
import type { Settings } from '@talpa/service-kit/settings';
import { type Certificates, createCertificates } from '../certificates/certificates.ts';
import { findChallenge, findTlsChallenge } from '../certificates/challenges.ts';
import type { frontSettingNames } from '../settings.ts';
import { readHost } from './host.ts';
import type { Handlers } from './listen.ts';
import { createPanelForwarder, type PanelForwarder } from './panel-forwarder.ts';
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

type FrontSettings = Settings<(typeof frontSettingNames)[number] | 'TUNNEL_PUBLIC_PORT' | 'PUBLIC_URL'>;

/**
 * Makes the public entrance where ACME_EMAIL is set; null without it.
 * @throws Error when a setting that it needs is missing
 */
export function createFront(settings: FrontSettings, sql: Sql, log: Log): Front | null {
  const { ACME_EMAIL, PUBLIC_URL, EDGE_PANEL_URL } = settings;
  if (!ACME_EMAIL) return null;
  if (!PUBLIC_URL?.startsWith('https:')) throw new Error('ACME_EMAIL needs a PUBLIC_URL with https');
  if (!EDGE_PANEL_URL) throw new Error('ACME_EMAIL needs EDGE_PANEL_URL');
  const panel = new URL(PUBLIC_URL);
  const names = { panelHost: panel.hostname };
  return {
    certificates: createCertificates(sql, openKeyRing(settings.CERTIFICATE_KEYS), names, log),
    findChallenge: (host, token) => findChallenge(sql, host, token),
    findTlsChallenge: (host) => findTlsChallenge(sql, host),
    panel: createPanelForwarder(new URL(EDGE_PANEL_URL), log),
    panelHost: panel.hostname,
    panelPort: Number(panel.port || 443),
    tunnelPort: settings.TUNNEL_PUBLIC_PORT,
  };
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
