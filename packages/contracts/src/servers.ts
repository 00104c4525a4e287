import { z } from 'zod';
import { connectorSignal } from './health.ts';
import { proxyRoles } from './roles.ts';
import { proxyStatuses, tunnelHealths } from './status.ts';

const time = z.iso.datetime();

/** `implicit`: made for a proxy, and gone with the last one. `machine`: made or named by its owner, and stays. */
export const serverKinds = ['implicit', 'machine'] as const;
export type ServerKind = (typeof serverKinds)[number];

/** The maximum number of addresses, those of proxies and custom domains, that one tunnel serves. */
export const mostNamesPerServer = 200;

/** The orders servers may be listed in. */
export const serverSorts = ['createdAt'] as const;

/** A machine with one tunnel for all of its proxies. The tunnel's token is never part of it. */
export const server = z
  .object({
    id: z.int().positive(),
    userId: z.int().positive(),
    name: z.string(),
    kind: z.enum(serverKinds),
    createdAt: time,
    /** As a proxy's: of its tunnel and connector. */
    status: z.enum(proxyStatuses),
    /** What the provider said of its tunnel when it last changed; null without a tunnel. */
    tunnelHealth: z.enum(tunnelHealths).nullable(),
    /** Since when it says so. */
    tunnelHealthAt: time.nullable(),
    cfTunnelId: z.string().nullable(),
    /** Those of its proxies that the reader may see, by id. */
    proxyIds: z.array(z.int().positive()),
    /** The lowest role of the reader at any of its proxies; null: there is one that they may not see. */
    role: z.enum(proxyRoles).nullable(),
    /** The token answers for all of its proxies: it takes `operate` at each. */
    mayReadToken: z.boolean(),
    /** Somebody who is not its owner has read the token: no proxy joins before the tunnel is recreated. */
    tokenShared: z.boolean(),
  })
  .meta({ id: 'Server' });
export type Server = z.infer<typeof server>;

/** A server as its owner exports it. */
export const exportedServer = server.omit({ role: true, mayReadToken: true });

/** What is known of a server's connector; what is behind it is known of each proxy. */
export const serverHealth = z
  .object({
    /** Null: the provider cannot be asked now. */
    connector: connectorSignal.nullable(),
  })
  .meta({ id: 'ServerHealth' });
export type ServerHealth = z.infer<typeof serverHealth>;
