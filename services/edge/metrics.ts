import type { EdgeErrorCode } from '@talpa/contracts';
import { counter, gauge, histogram, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import type { EdgeConnection, Registry } from './connectors/registry.ts';

const connectors = gauge('talpa_edge_connectors', 'Connectors that are connected to this edge');
const connections = gauge('talpa_edge_connections', 'Connections they hold');
const tunnels = gauge('talpa_edge_tunnels', 'Tunnels with a connection to this edge');
const running = gauge('talpa_edge_requests_running', 'Visitors’ requests under way, WebSockets among them');
const sockets = gauge('talpa_edge_visitor_sockets', 'Visitors’ open connections', ['listener']);

const responses = counter(
  'talpa_edge_responses_total',
  'Responses of the panels behind the tunnels, by class',
  ['status'],
);
const ownResponses = counter('talpa_edge_own_responses_total', 'Responses of the edge itself, by its error', [
  'code',
]);
const limited = counter('talpa_edge_limited_total', 'Visitors’ requests refused by a limit', ['limit']);
const unlogged = counter(
  'talpa_edge_requests_unlogged_total',
  'Visitors’ requests that have no entry in their proxy’s log because there were too many at once',
);
const malformed = counter(
  'talpa_edge_malformed_total',
  'Requests that are no HTTP, or too slow or too large in their head',
);
const bytes = counter(
  'talpa_edge_bytes_total',
  'Bytes of bodies carried, from visitors (in) and to them (out)',
  ['direction'],
);
const firstByte = histogram(
  'talpa_edge_time_to_first_byte_seconds',
  'From a visitor’s request to the beginning of the panel’s response',
);
const refused = counter(
  'talpa_edge_connectors_refused_total',
  'Connections of connectors that were not taken',
  ['reason'],
);

const publicPorts = gauge('talpa_edge_port_listeners', 'Public ports of game ports that are open');
const portConnections = gauge('talpa_edge_port_connections', 'Open connections to game ports');
const portConnected = counter(
  'talpa_edge_port_connections_total',
  'Connections to game ports that were carried',
);
const portRefused = counter('talpa_edge_port_refused_total', 'Connections to game ports that were refused', [
  'reason',
]);
const portBytes = counter(
  'talpa_edge_port_bytes_total',
  'Bytes carried for game ports, from visitors (in) and to them (out)',
  ['direction'],
);

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => responses.labels(status));
const carried = { bytesIn: bytes.labels('in'), bytesOut: bytes.labels('out') };

// A series that appears with its first value shows no increase.
for (const one of [...classes, carried.bytesIn, carried.bytesOut, unlogged]) one.inc(0);

/** What may keep a visitor's request from passing. */
export type EdgeLimit =
  | 'concurrent'
  | 'long_lived'
  | 'visitor'
  | 'requests'
  | 'mutations'
  | 'sign_in'
  | 'body'
  | 'head'
  | 'stalled'
  | 'share'
  | 'pages'
  | 'connections'
  | 'flood';
for (const limit of [
  'concurrent',
  'long_lived',
  'visitor',
  'requests',
  'mutations',
  'sign_in',
  'body',
  'head',
  'stalled',
  'share',
  'pages',
  'connections',
  'flood',
] as const)
  limited.labels(limit).inc(0);

const portRefusals = [
  // Limits: new connections of the address, its open ones, those of the port, those of all.
  ...(['rate', 'visitor', 'port', 'all'] as const),
  ...(['rules', 'suspended'] as const),
  // Nobody to dial, nobody to be reached, no response of the connector in time.
  ...(['no_connector', 'unreachable', 'timeout'] as const),
  // A browser's connection.
  'web' as const,
];
/** Why a connection to a game port was refused. */
export type PortRefusal = (typeof portRefusals)[number];
const portCarried = { bytesIn: portBytes.labels('in'), bytesOut: portBytes.labels('out') };
for (const one of [portConnected, portCarried.bytesIn, portCarried.bytesOut]) one.inc(0);
for (const reason of portRefusals) portRefused.labels(reason).inc(0);

/** Why a connector's connection was not taken. */
type ConnectorRefusal =
  /** Too many have not registered yet, of this address or of all. */
  | 'pending'
  /** The TLS handshake failed. */
  | 'tls'
  /** It did not finish its registration in time. */
  | 'late'
  /** The registration was refused. */
  | 'refused'
  /** The registration failed, by our fault. */
  | 'failed';

/** What happens at the edge, counted. */
export const edgeMeter = {
  /** @param statusClass 0 for 1xx … 4 for 5xx */
  responded: (statusClass: number, ms: number) => {
    classes[statusClass]?.inc();
    firstByte.observe(ms / 1_000);
  },
  respondedItself: (code: EdgeErrorCode) => ownResponses.labels(code).inc(),
  limited: (limit: EdgeLimit) => limited.labels(limit).inc(),
  malformed: () => malformed.inc(),
  unlogged: (count: number) => unlogged.inc(count),
  carried: (direction: 'bytesIn' | 'bytesOut', count: number) => carried[direction].inc(count),
  portConnected: () => portConnected.inc(),
  portCarried: (direction: 'bytesIn' | 'bytesOut', count: number) => portCarried[direction].inc(count),
  portRefused: (reason: PortRefusal) => portRefused.labels(reason).inc(),
  connectorRefused: (reason: ConnectorRefusal) => refused.labels(reason).inc(),
} as const;

/** Reads what is connected and under way. */
export function measureEdge(
  registry: Registry<EdgeConnection>,
  visitors: {
    running(): number;
    sockets(): Readonly<Record<string, number>>;
    readonly gamePorts: { publicPorts(): readonly number[]; connections(): number } | null;
  },
): void {
  readOnScrape(
    'edge',
    [connectors, connections, tunnels, running, sockets, publicPorts, portConnections],
    () => {
      connectors.set(new Set(registry.all().map(({ connectorId }) => connectorId)).size);
      connections.set(registry.size);
      tunnels.set(registry.tunnelIds().length);
      running.set(visitors.running());
      publicPorts.set(visitors.gamePorts?.publicPorts().length ?? 0);
      portConnections.set(visitors.gamePorts?.connections() ?? 0);
      for (const [listener, count] of Object.entries(visitors.sockets())) sockets.set({ listener }, count);
    },
  );
}
