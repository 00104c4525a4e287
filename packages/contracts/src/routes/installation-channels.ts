import { z } from 'zod';
import { channelKinds } from '../channel-kinds.ts';
import { entry } from '../entry.ts';
import * as fields from '../fields.ts';
import {
  installationChannel,
  installationChannelWithSecret,
  installationDelivery,
  installationDeliveryDetails,
} from '../installation-channels.ts';
import { installationTopics } from '../installation-events.ts';
import { deliveryPage, target, topicsOf } from './channel-inputs.ts';

const adminErrors = ['not_signed_in', 'forbidden'] as const;
const errors = [...adminErrors, 'not_found'] as const;
const topics = topicsOf(installationTopics);

/** Where events of the whole installation go. */
export const installationChannelRoutes = {
  'GET /api/admin/channels': entry({
    summary: 'List the channels of the installation',
    procedure: 'notifications.listInstallationChannels',
    access: 'admin',
    scope: null,
    input: z.object({}),
    response: z.array(installationChannel),
    errors: adminErrors,
  }),
  'POST /api/admin/channels': entry({
    summary: 'Create a channel of the installation; only this response has the secret of a webhook',
    procedure: 'notifications.createInstallationChannel',
    access: 'admin',
    scope: null,
    audit: 'channel.create',
    stepUp: true,
    input: z.object({ kind: z.enum(channelKinds), name: fields.channelName, topics, ...target }),
    response: installationChannelWithSecret,
    status: 201,
    secret: true,
    errors: [...adminErrors, 'storage_full', 'channel_limit'],
  }),
  'PUT /api/admin/channels/:id': entry({
    summary: 'Change a channel of the installation; what is left out stays',
    procedure: 'notifications.updateInstallationChannel',
    access: 'admin',
    scope: null,
    audit: 'channel.update',
    stepUp: true,
    of: 'installationChannel',
    input: z.object({
      id: fields.id,
      name: fields.channelName.optional(),
      topics: topics.optional(),
      /** False: it gets notifications again, also after it was turned off. */
      isPaused: z.boolean().optional(),
      ...target,
    }),
    response: installationChannel,
    errors,
  }),
  'DELETE /api/admin/channels/:id': entry({
    summary: 'Delete a channel of the installation with its deliveries',
    procedure: 'notifications.deleteInstallationChannel',
    access: 'admin',
    scope: null,
    audit: 'channel.delete',
    of: 'installationChannel',
    input: z.object({ id: fields.id }),
    response: z.null(),
    errors,
  }),
  'POST /api/admin/channels/:id/test': entry({
    summary: 'Send a test to a channel of the installation',
    procedure: 'notifications.testInstallationChannel',
    access: 'admin',
    scope: null,
    audit: 'channel.test',
    of: 'installationChannel',
    input: z.object({ id: fields.id }),
    response: installationDelivery,
    status: 201,
    errors: [...errors, 'delivery_on_its_way'],
  }),
  'POST /api/admin/channels/:id/secret': entry({
    summary:
      'Give a webhook of the installation a new secret; messages are signed with the former one, too, for 24 hours',
    procedure: 'notifications.replaceInstallationChannelSecret',
    access: 'admin',
    scope: null,
    audit: 'channel.replaceSecret',
    stepUp: true,
    of: 'installationChannel',
    input: z.object({ id: fields.id }),
    response: installationChannelWithSecret,
    secret: true,
    errors: [...errors, 'channel_without_secret'],
  }),
  'GET /api/admin/channels/:id/deliveries': entry({
    summary: 'List what was sent to a channel of the installation in the last 30 days, newest first',
    procedure: 'notifications.listInstallationDeliveries',
    access: 'admin',
    scope: null,
    of: 'installationChannel',
    input: z.object(deliveryPage),
    response: z.array(installationDelivery),
    effect: 'page',
    errors,
  }),
  'GET /api/admin/deliveries/:id': entry({
    summary: 'Get what was sent to a channel of the installation, with the request and the answer',
    procedure: 'notifications.getInstallationDelivery',
    access: 'admin',
    scope: null,
    of: 'installationDelivery',
    input: z.object({ id: fields.id }),
    response: installationDeliveryDetails,
    errors,
  }),
  'POST /api/admin/deliveries/:id/sending': entry({
    summary: 'Send something to its channel of the installation again, with the same message ID',
    procedure: 'notifications.redeliverInstallation',
    access: 'admin',
    scope: null,
    audit: 'channel.sendAgain',
    of: 'installationDelivery',
    input: z.object({ id: fields.id }),
    response: installationDelivery,
    errors: [...errors, 'delivery_on_its_way'],
  }),
} as const;
