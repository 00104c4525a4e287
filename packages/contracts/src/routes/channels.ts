import { z } from 'zod';
import { channelKinds } from '../channel-kinds.ts';
import { channel, channelWithSecret, delivery, deliveryDetails } from '../channels.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import { notificationTopics } from '../notifications.ts';
import { deliveryPage, target, topicsOf } from './channel-inputs.ts';

const errors = ['not_signed_in', 'not_found'] as const;
const topics = topicsOf(notificationTopics);

/** Where the signed-in user gets notifications beside inbox and email. */
export const channelRoutes = {
  'GET /api/user/channels': entry({
    summary: 'List your notification channels',
    procedure: 'notifications.listChannels',
    access: 'user',
    scope: null,
    input: z.object({}),
    response: z.array(channel),
    errors: ['not_signed_in'],
  }),
  'POST /api/user/channels': entry({
    summary: 'Create a notification channel; only this response has the secret of a webhook',
    procedure: 'notifications.createChannel',
    access: 'user',
    scope: null,
    audit: 'channel.create',
    input: z.object({ kind: z.enum(channelKinds), name: fields.channelName, topics, ...target }),
    response: channelWithSecret,
    status: 201,
    secret: true,
    errors: ['not_signed_in', 'account_suspended', 'storage_full', 'channel_limit'],
  }),
  'PUT /api/user/channels/:id': entry({
    summary: 'Change a notification channel; what is left out stays',
    procedure: 'notifications.updateChannel',
    access: 'user',
    scope: null,
    audit: 'channel.update',
    of: 'channel',
    input: z.object({
      id: fields.id,
      name: fields.channelName.optional(),
      topics: topics.optional(),
      /** False: it gets notifications again, also after it was turned off. */
      isPaused: z.boolean().optional(),
      ...target,
    }),
    response: channel,
    errors: [...errors, 'account_suspended'],
  }),
  'DELETE /api/user/channels/:id': entry({
    summary: 'Delete a notification channel with its deliveries',
    procedure: 'notifications.deleteChannel',
    access: 'user',
    scope: null,
    audit: 'channel.delete',
    of: 'channel',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors,
  }),
  'POST /api/user/channels/:id/test': entry({
    summary: 'Send a test notification to a channel',
    procedure: 'notifications.testChannel',
    access: 'user',
    scope: null,
    audit: 'channel.test',
    of: 'channel',
    input: z.object({ id: fields.id }),
    response: delivery,
    status: 201,
    errors: [...errors, 'account_suspended', 'delivery_on_its_way'],
  }),
  'POST /api/user/channels/:id/secret': entry({
    summary: 'Give a webhook a new secret; messages are signed with the former one, too, for 24 hours',
    procedure: 'notifications.replaceChannelSecret',
    access: 'user',
    scope: null,
    audit: 'channel.replaceSecret',
    of: 'channel',
    input: z.object({ id: fields.id }),
    response: channelWithSecret,
    secret: true,
    errors: [...errors, 'channel_without_secret'],
  }),
  'GET /api/user/channels/:id/deliveries': entry({
    summary: 'List what was sent to a channel in the last 30 days, newest first',
    procedure: 'notifications.listDeliveries',
    access: 'user',
    scope: null,
    of: 'channel',
    input: z.object(deliveryPage),
    response: z.array(delivery),
    effect: 'page',
    errors,
  }),
  'GET /api/user/deliveries/:id': entry({
    summary: 'Get what was sent to a channel, with the request and the answer',
    procedure: 'notifications.getDelivery',
    access: 'user',
    scope: null,
    of: 'delivery',
    input: z.object({ id: fields.id }),
    response: deliveryDetails,
    errors,
  }),
  'POST /api/user/deliveries/:id/sending': entry({
    summary: 'Send something to its channel again, with the same message ID',
    procedure: 'notifications.redeliver',
    access: 'user',
    scope: null,
    audit: 'channel.sendAgain',
    of: 'delivery',
    input: z.object({ id: fields.id }),
    response: delivery,
    errors: [...errors, 'account_suspended', 'delivery_on_its_way'],
  }),
} as const;
