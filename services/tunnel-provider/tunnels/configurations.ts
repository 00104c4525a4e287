import { jsonOf } from '@talpa/service-kit/database/sql';
import { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { operation, tunnelId } from '../api/operation.ts';
import { findTunnel } from './sql.ts';

interface ConfigurationRow {
  version: number;
  config: unknown;
  createdAt: Date;
}

const seconds = z.int().min(0).optional();
const originRequest = z
  .looseObject({
    connectTimeout: seconds,
    tlsTimeout: seconds,
    tcpKeepAlive: seconds,
    keepAliveTimeout: seconds,
    keepAliveConnections: seconds,
    httpHostHeader: z.string().optional(),
    originServerName: z.string().optional(),
    noTLSVerify: z.boolean().optional(),
    http2Origin: z.boolean().optional(),
  })
  .optional();

const service = z
  .string()
  .regex(/^((https?|tcp|ssh|rdp|smb|unix|unix\+tls):.+|http_status:\d{3}|hello_world)$/, 'is no service');
const rule = z.looseObject({
  hostname: z.string().optional(),
  path: z.string().optional(),
  service,
  originRequest,
});

const catchesAll = (one: z.output<typeof rule> | undefined) =>
  one !== undefined && (!one.hostname || one.hostname === '*') && !one.path;

const ingress = z
  .array(rule)
  .min(1)
  .max(1_000)
  .refine(
    (rules) => catchesAll(rules.at(-1)),
    'The last ingress rule must match all URLs (i.e. it should not have a hostname or path filter)',
  )
  .refine(
    (rules) => rules.slice(0, -1).every((one) => !catchesAll(one)),
    'Only the last ingress rule may match all URLs',
  );

/** Replaces the whole configuration; connectors take over a higher version. */
export const putConfiguration = operation({
  name: 'putConfiguration',
  refuse: 'badConfiguration',
  input: z.object({ tunnelId, config: z.looseObject({ ingress, originRequest }) }),
  run: async ({ sql, accountId }, { tunnelId: id, config }) => {
    // The tunnel is held meanwhile: one that is being deleted is not there any more.
    const [row] = await sql<ConfigurationRow[]>`
      insert into configurations (tunnel_id, version, config)
      select id, 1, ${jsonOf(sql, config)} from tunnels where id = ${id} and deleted_at is null for update
      on conflict (tunnel_id) do update
        set version = configurations.version + 1, config = excluded.config, created_at = now()
      returning *`;
    if (!row) throw new ApiError('tunnelNotFound');
    return configurationView(accountId, id, row);
  },
});

export const getConfiguration = operation({
  name: 'getConfiguration',
  input: z.object({ tunnelId }),
  run: async ({ sql, accountId }, input) => {
    const { id } = await findTunnel(sql, input.tunnelId);
    const [row] = await sql<ConfigurationRow[]>`select * from configurations where tunnel_id = ${id}`;
    return configurationView(accountId, id, row);
  },
});

/** A tunnel that was never configured has version 0 and no config. */
function configurationView(accountId: string, id: string, row: ConfigurationRow | undefined) {
  return {
    account_id: accountId,
    tunnel_id: id,
    version: row?.version ?? 0,
    config: row?.config ?? null,
    source: 'cloudflare',
    created_at: (row?.createdAt ?? new Date(0)).toISOString(),
  };
}
