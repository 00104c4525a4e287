import type { Secrets } from '@talpa/instance/secrets';
import { readSettings } from '@talpa/service-kit/settings';
import { edgeAddressOf } from '@talpa/service-kit/settings/edge-address';
import { bindSharedPorts, type SharedPorts } from './shared-ports.ts';

/** Where our own edge listens. */
export interface EdgeFacts {
  readonly connectorPort: number;
  readonly visitorPort: number;
  readonly httpsPort: number | undefined;
  /** The certificate authority that connectors must trust, as PEM. */
  readonly authorityFile: string;
}

export function edgeOf({ ports }: SharedPorts, { edgeAuthority }: Secrets): EdgeFacts {
  const { EDGE_CONNECTOR_PORT: connectorPort = 0, EDGE_HTTP_PORT: visitorPort = 0 } = ports;
  return {
    connectorPort,
    visitorPort,
    httpsPort: ports.EDGE_HTTPS_PORT,
    authorityFile: edgeAuthority.certificate,
  };
}

/** Binds the ports for visitors and connectors, which all edge processes share. @param env what one of them receives */
export function bindEdgePorts(env: NodeJS.ProcessEnv): Promise<SharedPorts> {
  const settings = readSettings(
    [
      ...(['EDGE_HOST', 'EDGE_HTTP_PORT', 'EDGE_HTTPS_PORT', 'TUNNEL_PUBLIC_PORT'] as const),
      ...(['EDGE_CONNECTOR_HOST', 'EDGE_CONNECTOR_PORT'] as const),
    ],
    env,
  );
  const { EDGE_HOST: host, EDGE_HTTPS_PORT: httpsPort } = settings;
  return bindSharedPorts({
    EDGE_HTTP_PORT: { host, port: settings.EDGE_HTTP_PORT ?? settings.TUNNEL_PUBLIC_PORT },
    ...(httpsPort === undefined ? {} : { EDGE_HTTPS_PORT: { host, port: httpsPort } }),
    EDGE_CONNECTOR_PORT: { host: settings.EDGE_CONNECTOR_HOST, port: settings.EDGE_CONNECTOR_PORT },
  });
}

/** What the install instructions say about the edge. */
export function edgeSettingsOfGateway(
  edge: Pick<EdgeFacts, 'connectorPort' | 'authorityFile'>,
  tunnelDomain: string,
  outside: NodeJS.ProcessEnv,
): Record<'EDGE_ADDRESS' | 'EDGE_CA_FILE', string> {
  return {
    EDGE_ADDRESS: edgeAddressOf(edge.connectorPort, tunnelDomain, outside),
    EDGE_CA_FILE: outside.EDGE_CA_FILE ?? edge.authorityFile,
  };
}
