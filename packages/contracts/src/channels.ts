import { z } from 'zod';
import { channelKinds } from './channel-kinds.ts';
import { notificationContent, notificationTopics } from './notifications.ts';

const time = z.iso.datetime();

/**
 * `active`: gets notifications. `paused`: by its user. `gone`: its receiver has said that it no longer exists. `failing`: it has failed for
 * days. The last two are turned off until their user turns them on.
 */
export const channelStates = ['active', 'paused', 'gone', 'failing'] as const;
export type ChannelState = (typeof channelStates)[number];

/**
 * `queued`: waits for its next attempt. `delivered`: the receiver has accepted it. `given_up`: after all attempts. `canceled`: its
 * channel was paused or turned off before. `held`: queued when the database was restored.
 */
export const deliveryStates = ['queued', 'sending', 'delivered', 'given_up', 'canceled', 'held'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What keeps an attempt from getting an answer. */
export const deliveryFailures = [
  'address_not_allowed',
  'port_not_allowed',
  'https_required',
  'name_not_found',
  'timeout',
  'certificate',
  'connection',
  /** Ours: its text or its key. */
  'unwritten',
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];

const outcome = {
  /** The HTTP status of the last answer. */
  status: z.int().nullable(),
  /** Why the last attempt got no answer. */
  failure: z.enum(deliveryFailures).nullable(),
};

export const channel = z
  .object({
    id: z.int().positive(),
    kind: z.enum(channelKinds),
    name: z.string(),
    /** The server it leads to. The rest of its address may be secret, and is shown to nobody. */
    host: z.string(),
    topics: z.array(z.enum(notificationTopics)),
    state: z.enum(channelStates),
    createdAt: time,
    /** Until when messages are signed with the former secret, too; null: they are not. */
    formerSecretUntil: time.nullable(),
    /** How the last attempt has ended; null before the first. */
    last: z.object({ at: time, isSuccess: z.boolean(), ...outcome }).nullable(),
  })
  .meta({ id: 'Channel' });
export type Channel = z.infer<typeof channel>;

/** A channel with the secret that signs its messages, which is shown once; null: its kind has none. */
export const channelWithSecret = z
  .object({ channel, secret: z.string().nullable() })
  .meta({ id: 'ChannelWithSecret' });

/** What was sent to a channel, or is to be. */
export const delivery = z
  .object({
    id: z.int().positive(),
    /** The message's id, the same in each attempt (`webhook-id`). */
    messageId: z.uuid(),
    /** What it says, the oldest first; empty: it is a test. */
    notifications: z.array(notificationContent),
    createdAt: time,
    state: z.enum(deliveryStates),
    /** Since when. */
    stateAt: time,
    attempts: z.int().min(0),
    /** Attempts whose answer was lost: each may have arrived. */
    uncertainAttempts: z.int().min(0),
    /** When it is tried next; null: it is not. */
    nextAttemptAt: time.nullable(),
    ...outcome,
    /** How long the last attempt took. */
    durationMs: z.int().min(0).nullable(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof delivery>;

/** The same with the body of the last request, which holds no secret, and the beginning of the answer. */
export const deliveryDetails = delivery
  .extend({ request: z.string().nullable(), answer: z.string().nullable() })
  .meta({ id: 'DeliveryDetails' });

/** A delivery as its user's export has it. */
export const exportedDelivery = delivery
  .pick({ notifications: true, createdAt: true, state: true, stateAt: true, attempts: true })
  .extend({ channelId: z.int().positive() })
  .meta({ id: 'ExportedDelivery' });
export type ExportedDelivery = z.infer<typeof exportedDelivery>;
