import { z } from 'zod';
import { port, portRange, positive, trustProxy, webAddress } from './forms.ts';

/** The maximum of EDGE_DRAIN_MS: everything that stops an edge waits longer than this. */
export const longestDrainMs = 60_000;

/** The settings of the edge; part of `knownSettings`. */
export const edgeSettings = {
  EDGE_HOST: z.string().default('127.0.0.1').meta({
    description:
      'Where the edge listens for visitors. Left out: HOST and TUNNEL_PUBLIC_PORT; with ACME_EMAIL all addresses, 80 and 443.',
  }),
  EDGE_HTTP_PORT: port.optional(),
  EDGE_HTTPS_PORT: port.optional(),
  EDGE_TLS_CERT: z
    .string()
    .optional()
    .meta({ description: 'PEM files of the wildcard certificate and its key; read again when they change.' }),
  EDGE_TLS_KEY: z.string().optional(),
  EDGE_PANEL_URL: webAddress.optional().meta({
    description: 'Where the edge reaches the panel with ACME_EMAIL; `npm start` sets it.',
  }),
  EDGE_TRUST_PROXY: trustProxy.meta({
    description: 'As TRUST_PROXY, for visitors of the subdomains.',
  }),
  EDGE_CONCURRENT_LIMIT: positive.default(256).meta({
    description:
      'Concurrent requests to each proxy. A visitor address may use at most as many as it leaves free.',
  }),
  EDGE_LONG_LIVED_LIMIT: positive.default(256).meta({
    description: 'The same for WebSockets, event streams, long polls, and requests that have run for 10 s.',
  }),
  EDGE_REQUEST_LIMIT_PER_MINUTE: positive.default(12_000).meta({
    description:
      'Requests to each proxy, and of each visitor address to one. Behind a load balancer set EDGE_TRUST_PROXY, or all visitors share one address.',
  }),
  EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: positive.default(4_000),
  EDGE_VISITOR_CONNECTION_LIMIT: positive.default(1_000).meta({
    description: 'Open connections per visitor address and port, except of EDGE_TRUST_PROXY.',
  }),
  EDGE_MUTATION_LIMIT_PER_MINUTE: positive
    .default(120)
    .meta({ description: 'Changing requests per visitor address and tunnel.' }),
  EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: positive
    .default(8)
    .meta({ description: 'Sign-in attempts per visitor address and tunnel.' }),
  EDGE_BODY_LIMIT_BYTES: positive.default(1_073_741_824).meta({ description: 'The largest request body.' }),
  EDGE_RESPONSE_TIMEOUT_MS: positive.default(120_000).meta({
    description: 'How long a panel may take to begin its response, and how long a request may be idle.',
  }),
  EDGE_IDLE_TIMEOUT_MS: positive.default(600_000),
  EDGE_PROCESSES: z.coerce.number().int().min(1).max(8).optional().meta({
    description:
      '`npm start`: edge processes on the same ports. Left out: one for every two cores, at most four.',
  }),
  EDGE_DRAIN_MS: positive.max(longestDrainMs).default(7_000).meta({
    description: 'How long running requests may take when the edge stops; at most one minute.',
  }),
  EDGE_TCP_PORTS: portRange.meta({
    description:
      'The public ports, such as `25000-25099`, below 32768: the system gives those above to outgoing connections. Needs the embedded provider and https for the panel ([game-ports.md](game-ports.md)).',
  }),
  EDGE_TCP_NAME: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'not a name such as play.example.com')
    .optional()
    .meta({
      description:
        "The name by which players reach them, such as `play.example.com`: neither the panel's nor one of the tunnel domain. Left out: the proxy's subdomain.",
    }),
  EDGE_TCP_HOST: z
    .string()
    .optional()
    .meta({ description: 'Where the edge listens for players. Left out: EDGE_HOST.' }),
  EDGE_TCP_CONNECTION_LIMIT: positive.default(2_000).meta({
    description:
      'Open connections of each edge process in all, and of one game port. Hostile ends can make the edge hold 200 kB for each, and 512 MB for those that take too little.',
  }),
  EDGE_TCP_PORT_CONNECTION_LIMIT: positive.default(500),
  EDGE_TCP_VISITOR_CONNECTION_LIMIT: positive.default(64).meta({
    description: 'Of one visitor address: open connections, and new ones.',
  }),
  EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE: positive.default(120),
  EDGE_TCP_IDLE_TIMEOUT_MS: positive.default(600_000).meta({
    description: 'How long nothing may pass on a connection.',
  }),
  EDGE_CONNECTOR_HOST: z.string().default('127.0.0.1').meta({
    description:
      'Where the edge listens for connectors (TLS). Left out: HOST, with ACME_EMAIL all addresses.',
  }),
  EDGE_CONNECTOR_PORT: port.default(7_844),
  EDGE_CONNECTOR_PENDING_LIMIT: positive
    .default(64)
    .meta({ description: 'Connections of one address that have not registered yet.' }),
  EDGE_CONNECTOR_PING_MS: positive
    .default(15_000)
    .meta({ description: 'How often connectors are pinged, and how long they may take to register.' }),
  EDGE_CONNECTOR_REGISTER_MS: positive.default(10_000),
  EDGE_CONNECTOR_DRAIN_MS: positive.default(60_000).meta({
    description: 'How long running requests may take when their connector unregisters.',
  }),
  EDGE_LOCATION: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .default('talpa')
    .meta({ description: 'The location that the edge reports to connectors.' }),
  EDGE_CA_FILE: z.string().optional().meta({
    description: "PEM files of the edge's certificate authority, which connectors must trust; generated.",
  }),
  EDGE_CA_KEY_FILE: z.string().optional(),
  CONNECTOR_MIRROR: z
    .string()
    .regex(/^(https?:\/\/[^\s']+[^\s'/]|\/[^\s]+)$/, 'an address or an absolute folder')
    .optional()
    .meta({
      description:
        'Where the install commands get the connector: the address of a copy of the pinned release, or a folder with its files, which the panel then serves. Left out: the release of its makers.',
    }),
  EDGE_ADDRESS: z
    .string()
    .regex(/^[\w.:[\]-]+:\d+$/, 'host:port')
    .optional()
    .meta({
      description:
        'The `host:port` that connectors dial, shown in the install instructions. Left out: TUNNEL_DOMAIN and EDGE_CONNECTOR_PORT.',
    }),
  EDGE_PEER_HOST: z.string().default('127.0.0.1').meta({
    description: 'Where this edge listens for other edges.',
  }),
  EDGE_PEER_PORT: port.default(0),
  EDGE_PEER_ADDRESS: z.string().optional().meta({
    description: 'The `host:port` at which others reach this edge, and the secret that all edges share.',
  }),
  EDGE_PEER_SECRET: z.string().min(32).optional().meta({ secret: true }),
} as const satisfies Record<string, z.ZodType>;
