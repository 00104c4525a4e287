import { z } from 'zod';

/*
 * Cloudflare's published OpenAPI (August 2026) for the calls we make, transcribed; strict, so that a response holds nothing
 * that it does not know. What is beside the published text is said where it stands.
 */

const time = z.iso.datetime({ offset: true });
const message = z.strictObject({
  code: z.int().min(1_000),
  message: z.string(),
  documentation_url: z.string().optional(),
  source: z.strictObject({ pointer: z.string().optional() }).optional(),
});
const envelope = {
  success: z.literal(true),
  errors: z.array(message),
  messages: z.array(message),
};
const response = <T extends z.ZodType>(result: T) => z.strictObject({ ...envelope, result });
const list = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    ...envelope,
    result: z.array(item),
    result_info: z.strictObject({
      count: z.number(),
      page: z.number(),
      per_page: z.number(),
      total_count: z.number(),
      total_pages: z.number().optional(),
    }),
  });

const connection = z.strictObject({
  id: z.uuid(),
  uuid: z.uuid(),
  client_id: z.uuid(),
  client_version: z.string(),
  colo_name: z.string(),
  is_pending_reconnect: z.boolean(),
  opened_at: time,
  origin_ip: z.string(),
});
const tunnel = z.strictObject({
  id: z.uuid(),
  account_tag: z.string().max(32),
  config_src: z.enum(['local', 'cloudflare']),
  /** Deprecated, and empty from now on. */
  connections: z.array(connection).max(0),
  conns_active_at: time.nullable(),
  /** Null: active. */
  conns_inactive_at: time.nullable(),
  created_at: time,
  deleted_at: time.nullable(),
  metadata: z.object({}),
  name: z.string(),
  remote_config: z.boolean(),
  status: z.enum(['inactive', 'degraded', 'healthy', 'down']),
  tun_type: z.enum(['cfd_tunnel', 'warp_connector', 'warp', 'magic', 'ip_sec', 'gre', 'cni']),
});
/** Not published: the response to creating a tunnel, or changing its secret, contains it. */
const tunnelWithSecret = tunnel.extend({
  credentials_file: z.strictObject({
    AccountTag: z.string(),
    TunnelID: z.uuid(),
    TunnelName: z.string(),
    TunnelSecret: z.base64(),
  }),
  token: z.base64(),
});
const client = z.strictObject({
  id: z.uuid(),
  arch: z.string(),
  config_version: z.int(),
  conns: z.array(connection),
  features: z.array(z.string()),
  run_at: time,
  version: z.string(),
});
/** Of the options, those that we set; times are whole seconds. */
const originRequest = z
  .strictObject({
    http2Origin: z.boolean(),
    httpHostHeader: z.string(),
    noTLSVerify: z.boolean(),
    originServerName: z.string(),
  })
  .partial();
const configuration = z.strictObject({
  account_id: z.string().max(32),
  config: z.strictObject({
    ingress: z
      .array(
        z.strictObject({
          // Published as required, left out of the last rule in all documents.
          hostname: z.string().optional(),
          path: z.string().optional(),
          service: z.string(),
          originRequest: originRequest.optional(),
        }),
      )
      .min(1),
    originRequest: originRequest.optional(),
  }),
  created_at: time,
  source: z.enum(['local', 'cloudflare']),
  tunnel_id: z.uuid(),
  version: z.int(),
});
const record = z.strictObject({
  id: z.string().max(32),
  type: z.literal('CNAME'),
  name: z.string().max(255),
  content: z.string(),
  proxied: z.boolean(),
  proxiable: z.boolean(),
  ttl: z.union([z.literal(1), z.number().min(30).max(86_400)]),
  comment: z.string(),
  tags: z.array(z.string()),
  settings: z.strictObject({
    flatten_cname: z.boolean().optional(),
    ipv4_only: z.boolean().optional(),
    ipv6_only: z.boolean().optional(),
  }),
  meta: z.object({}),
  created_on: time,
  modified_on: time,
  comment_modified_on: time.optional(),
  tags_modified_on: time.optional(),
});

/** The response to each call of the worker that succeeds. */
export const officialResponses = {
  'create tunnel': response(tunnelWithSecret),
  'list tunnels': list(tunnel),
  'get tunnel': response(tunnel),
  'list connections': response(z.array(client)),
  'get token': response(z.base64()),
  'put configuration': response(configuration),
  'rotate secret': response(tunnelWithSecret),
  'drop connections': response(z.object({}).nullable()),
  'delete tunnel': response(tunnel),
  'create record': response(record),
  'list records': list(record),
  'replace record': response(record),
  /** The one response without an envelope. */
  'delete record': z.strictObject({ result: z.strictObject({ id: z.string().max(32) }) }),
};

/** The response to any call that fails. */
export const officialFailure = z.strictObject({
  success: z.literal(false),
  errors: z.array(message).min(1),
  messages: z.array(message),
  result: z.null(),
});
