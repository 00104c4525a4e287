import { z } from 'zod';
import { events } from './events.ts';

const common = {
  /** `own`: the reader's own; `shared`: they are a member; `all`: somebody's, sent to administrators. */
  scope: z.enum(['own', 'shared', 'all']),
  change: z.enum(['created', 'changed', 'deleted']),
};
const { proxy, user } = events;

/**
 * What `GET /api/events` sends: that something has changed, and no more than its reader may see by the API.
 * Sent once a refetch shows it; a message may come twice, and is then worth another look, no more.
 */
export const liveMessage = z
  .discriminatedUnion('type', [
    /** First on each stream and after each gap: whatever was fetched before may be out of date. */
    z.object({ type: z.literal('refetch') }),
    /** The session has ended; so does the stream. */
    z.object({ type: z.literal('sessionEnded') }),
    proxy.schema
      .pick({ userId: true, status: true, statusReason: true })
      .extend({ type: z.literal('proxy'), ...common, id: proxy.schema.shape.proxyId }),
    user.schema
      .pick({ id: true, username: true, isAdmin: true })
      .extend({ type: z.literal('user'), ...common }),
    /** A user's plan or limit; all services that show or enforce it have applied it. */
    z.object({ type: z.literal('subscription'), scope: common.scope, userId: user.schema.shape.id }),
    /** A proxy's connector, the panel behind it, or what was done to it: see its `health` and `events`. */
    z.object({
      type: z.literal('health'),
      scope: common.scope,
      id: proxy.schema.shape.proxyId,
      /** The owner or a member. */
      userId: proxy.schema.shape.userId,
    }),
    /** A server, its tunnel or its connector; that its proxies have changed is said of them. */
    z.object({
      type: z.literal('server'),
      scope: common.scope,
      id: z.int(),
      /** The owner or a member. */
      userId: proxy.schema.shape.userId,
    }),
    /** Which proxies are shared with the reader, and what they are invited to. */
    z.object({ type: z.literal('sharing'), scope: z.literal('own'), userId: user.schema.shape.id }),
    /** A proxy’s request log has new entries; at most once a second, and only while somebody reads it. */
    z.object({
      type: z.literal('requests'),
      scope: common.scope,
      id: proxy.schema.shape.proxyId,
      userId: proxy.schema.shape.userId,
    }),
    /** Somebody has passed a proxy’s wall, or is in no more; for those who may end it. */
    z.object({
      type: z.literal('visits'),
      scope: common.scope,
      id: proxy.schema.shape.proxyId,
      userId: proxy.schema.shape.userId,
    }),
    /** The audit trail has rows about this user or by them; where they are signed in may have changed with it. */
    z.object({ type: z.literal('audit'), scope: common.scope, userId: user.schema.shape.id }),
    /** The reader's own preferences were saved; no other user receives it. */
    z.object({ type: z.literal('preferences'), scope: z.literal('own'), userId: user.schema.shape.id }),
    /** An email to this user has another state; of interest to administrators alone. */
    z.object({ type: z.literal('mail'), scope: common.scope, userId: user.schema.shape.id }),
    /** The reader's inbox has changed: something has come, or was read in another tab. */
    z.object({ type: z.literal('notification'), scope: z.literal('own'), userId: user.schema.shape.id }),
    /** The totals of `GET /api/system/stats`; sent now and then while they change. */
    z.object({ type: z.literal('totals') }),
  ])
  .meta({ id: 'LiveMessage' });
export type LiveMessage = z.infer<typeof liveMessage>;

/** The media type of a response that goes on: one message a `data:` line, without ids, for nothing is replayed. */
export const eventStream = 'text/event-stream';
