import { z } from 'zod';
import * as fields from '../fields.ts';

/** What a channel is for: at least one topic, in the order of the table. */
export const topicsOf = <const T extends readonly [string, ...string[]]>(known: T) =>
  z
    .array(z.enum(known))
    .min(1, 'required')
    .max(known.length)
    .transform(
      (given) => known.filter((topic) => (given as readonly string[]).includes(topic)) as T[number][],
    );

/** Where a channel leads; which of them its kind needs, the verb says. */
export const target = {
  /** Of a webhook, a Discord webhook, or an ntfy server. */
  url: fields.channelUrl.optional(),
  /** Of an ntfy server. */
  topic: fields.ntfyTopic.optional(),
  /** The access token of an ntfy server, or the token of a Telegram bot. */
  token: fields.channelToken.optional(),
  /** Of Telegram. */
  chat: fields.telegramChat.optional(),
};

/** A page of a channel's deliveries. */
export const deliveryPage = {
  id: fields.id,
  limit: fields.coerced(z.int().min(1).max(100)).default(20),
  /** The id of the last one of the page before, as in the `Link` header. */
  cursor: fields.id.optional(),
};
