import { z } from 'zod';
import { ownAuditRow } from './audit.ts';

/** The most a proxy's page shows of what has happened. */
export const mostProxyEvents = 100;

/** Something that has happened to a proxy: what somebody did to it, or that its connector came or went. */
export const proxyEvent = z
  .discriminatedUnion('kind', [
    ownAuditRow.pick({ id: true, at: true, action: true, target: true, changes: true }).extend({
      kind: z.literal('deed'),
      by: z.enum(['owner', 'member', 'administrator', 'system']),
      /** The present name of the member who did it; null: another did, or they are gone. */
      byName: z.string().nullable(),
      /** For the owner alone: the name of their API key that a script did it with; null: they did it themselves. */
      keyName: z.string().nullable().default(null),
    }),
    z.object({ kind: z.literal('connector'), at: z.iso.datetime(), connected: z.boolean() }),
  ])
  .meta({ id: 'ProxyEvent' });
export type ProxyEvent = z.infer<typeof proxyEvent>;
