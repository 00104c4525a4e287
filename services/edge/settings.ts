import type { SettingName } from '@talpa/service-kit/settings';

/** The names of the settings for connectors, visitors and other edges. */
export const edgeSettingNames = [
  'EDGE_CONNECTOR_HOST',
  'EDGE_CONNECTOR_PORT',
  'EDGE_CONNECTOR_PENDING_LIMIT',
  'EDGE_CONNECTOR_PING_MS',
  'EDGE_CONNECTOR_REGISTER_MS',
  'EDGE_CONNECTOR_DRAIN_MS',
  'EDGE_LOCATION',
  'EDGE_CA_FILE',
  'EDGE_CA_KEY_FILE',
  'TUNNEL_PUBLIC_PORT',
  'EDGE_HOST',
  'EDGE_HTTP_PORT',
  'EDGE_HTTPS_PORT',
  'EDGE_TLS_CERT',
  'EDGE_TLS_KEY',
  'EDGE_TRUST_PROXY',
  'EDGE_CONCURRENT_LIMIT',
  'EDGE_LONG_LIVED_LIMIT',
  'EDGE_REQUEST_LIMIT_PER_MINUTE',
  'EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE',
  'EDGE_VISITOR_CONNECTION_LIMIT',
  'EDGE_MUTATION_LIMIT_PER_MINUTE',
  'EDGE_SIGN_IN_LIMIT_PER_15_MINUTES',
  'EDGE_BODY_LIMIT_BYTES',
  'EDGE_RESPONSE_TIMEOUT_MS',
  'EDGE_IDLE_TIMEOUT_MS',
  'EDGE_TCP_PORTS',
  'EDGE_TCP_HOST',
  'EDGE_TCP_CONNECTION_LIMIT',
  'EDGE_TCP_PORT_CONNECTION_LIMIT',
  'EDGE_TCP_VISITOR_CONNECTION_LIMIT',
  'EDGE_TCP_VISITOR_CONNECTION_LIMIT_PER_MINUTE',
  'EDGE_TCP_IDLE_TIMEOUT_MS',
  'EDGE_DRAIN_MS',
  'EDGE_PEER_HOST',
  'EDGE_PEER_PORT',
  'EDGE_PEER_ADDRESS',
  'EDGE_PEER_SECRET',
  'PUBLIC_URL',
] as const satisfies readonly SettingName[];

/** The names of the settings for the public entrance with certificates of Talpa's own. */
export const frontSettingNames = [
  'ACME_EMAIL',
  'CERTIFICATE_KEYS',
  'EDGE_PANEL_URL',
] as const satisfies readonly SettingName[];

/** The settings that the process reads. */
export const settingNames = [
  'DATABASE_URL',
  'DATABASE_CONNECTIONS',
  'NATS_URL',
  'REQUEST_LOG_DAYS',
  ...edgeSettingNames,
  ...frontSettingNames,
] as const;
