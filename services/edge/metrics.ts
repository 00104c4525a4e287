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

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => responses.labels(status));
const carried = { bytesIn: bytes.labels('in'), bytesOut: bytes.labels('out') };

// A series that appears with its first value shows no increase.
for (const one of [...classes, carried.bytesIn, carried.bytesOut]) one.inc(0);

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
  | 'pings';
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
  'pings',
] as const)
  limited.labels(limit).inc(0);

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
  carried: (direction: 'bytesIn' | 'bytesOut', count: number) => carried[direction].inc(count),
  connectorRefused: (reason: ConnectorRefusal) => refused.labels(reason).inc(),
} as const;

/** Reads what is connected and under way. */
export function measureEdge(
  registry: Registry<EdgeConnection>,
  visitors: { running(): number; sockets(): Readonly<Record<string, number>> },
): void {
  readOnScrape('edge', [connectors, connections, tunnels, running, sockets], () => {
    connectors.set(new Set(registry.all().map(({ connectorId }) => connectorId)).size);
    connections.set(registry.size);
    tunnels.set(registry.tunnelIds().length);
    running.set(visitors.running());
    for (const [listener, count] of Object.entries(visitors.sockets())) sockets.set({ listener }, count);
  });
}
