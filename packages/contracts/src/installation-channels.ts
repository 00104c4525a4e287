import { z } from 'zod';
import { channel, delivery } from './channels.ts';
import { installationEvent, installationTopics } from './installation-events.ts';

/** Where events of the installation go. It belongs to all administrators. */
export const installationChannel = channel
  .extend({ topics: z.array(z.enum(installationTopics)) })
  .meta({ id: 'InstallationChannel' });
export type InstallationChannel = z.infer<typeof installationChannel>;

export const installationChannelWithSecret = z
  .object({ channel: installationChannel, secret: z.string().nullable() })
  .meta({ id: 'InstallationChannelWithSecret' });

/** What was sent to a channel of the installation, or is to be; no events: it is a test. */
export const installationDelivery = delivery
  .extend({ notifications: z.array(installationEvent) })
  .meta({ id: 'InstallationDelivery' });
export type InstallationDelivery = z.infer<typeof installationDelivery>;

export const installationDeliveryDetails = installationDelivery
  .extend({ request: z.string().nullable(), answer: z.string().nullable() })
  .meta({ id: 'InstallationDeliveryDetails' });
