import type { ChannelKind } from '@talpa/contracts';
import { Webhook } from 'standardwebhooks';
import { type Target, telegramUrl } from '../channels/target.ts';
import type { OutboundRequest } from '../outbound/client.ts';
import type { Message, Said } from './message.ts';

interface Addressee {
  readonly kind: ChannelKind;
  readonly target: Target;
  readonly formerSecretUntil: Date | null;
}

/** How long a message may be, in the units each receiver counts in. */
const longest = { discord: 2_000, telegram: 4_096, ntfyBytes: 4_096, ntfyTitle: 250 } as const;
const ellipsis = '…';

/** The request that brings a message to a channel. Its body holds no secret. */
export function requestOf(addressee: Addressee, message: Message, now = new Date()): OutboundRequest {
  switch (addressee.kind) {
    case 'webhook':
      return webhookRequest(addressee, message, now);
    case 'discord':
      return discordRequest(addressee.target, message);
    case 'ntfy':
      return ntfyRequest(addressee.target, message);
    case 'telegram':
      return telegramRequest(addressee.target, message);
  }
}

const json = { 'content-type': 'application/json' };

/** Standard Webhooks: the id is the same in each attempt, the moment and the signatures are the attempt's. */
function webhookRequest(
  { target: { url = '', secret = '', formerSecret }, formerSecretUntil }: Addressee,
  { id, createdAt, said: [said] }: Message,
  now: Date,
): OutboundRequest {
  const content = said?.content ?? null;
  const body = JSON.stringify({
    type: content?.kind ?? 'test',
    timestamp: createdAt.toISOString(),
    data: {
      topic: content?.topic ?? null,
      level: said?.level,
      title: said?.title,
      text: said?.text,
      url: said?.url,
      params: content?.params ?? {},
      ...(content?.user === undefined ? {} : { user: content.user }),
    },
  });
  const isFormerValid = formerSecret !== undefined && formerSecretUntil !== null && formerSecretUntil > now;
  const signatures = [secret, ...(isFormerValid ? [formerSecret] : [])].map((one) =>
    new Webhook(one).sign(id, now, body),
  );
  return {
    url,
    headers: {
      ...json,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

/** Nobody is mentioned, whatever a name says, and no name becomes formatting or a link. */
function discordRequest({ url = '' }: Target, { said }: Message): OutboundRequest {
  const write = ({ title, text, url: page }: Said) =>
    [`**${escapeMarkdown(title)}**`, escapeMarkdown(text), ...(page ? [`<${page}>`] : [])].join('\n');
  return {
    url,
    headers: json,
    body: JSON.stringify({
      content: joined(said.map(write), longest.discord),
      allowed_mentions: { parse: [] },
    }),
  };
}

/** Characters with a meaning in Discord's Markdown, mentions and links included. */
const escapeMarkdown = (text: string) =>
  text
    .replace(/[\\*_~`|>#\-+<[\]()@]/g, '\\$&')
    .replace(/:\/\//g, ':\\/\\/')
    .replace(/(\d)\./g, '$1\\.');

/** Plain text: nothing is formatted. A word joiner after each @ keeps names from being mentions. */
function telegramRequest({ token = '', chat }: Target, { said }: Message): OutboundRequest {
  const write = ({ title, text, url }: Said) =>
    [...[title, text].map((part) => part.replace(/@/g, '@\u2060')), ...(url ? [url] : [])].join('\n');
  return {
    url: telegramUrl(token),
    headers: json,
    body: JSON.stringify({
      chat_id: chat,
      text: joined(said.map(write), longest.telegram),
      link_preview_options: { is_disabled: true },
    }),
  };
}

const priorities = { info: 3, success: 3, warning: 4, error: 5 } as const;

/** JSON to the server's root, for a header holds no umlauts. */
function ntfyRequest({ url = '', topic, token }: Target, { said }: Message): OutboundRequest {
  const [first, ...others] = said;
  const write = ({ title, text }: Said) => `${title}\n${text}`;
  const text = first && others.length === 0 ? first.text : joined(said.map(write), longest.ntfyBytes);
  const title = first && others.length === 0 ? first.title : null;
  return {
    url,
    headers: { ...json, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({
      topic,
      ...(title === null ? {} : { title: cut(title, longest.ntfyTitle) }),
      message: cut(text, longest.ntfyBytes, (part) => Buffer.byteLength(part)),
      priority: Math.max(...said.map(({ level }) => priorities[level])),
      ...(first?.url ? { click: first.url } : {}),
    }),
  };
}

/** As many messages as fit, whole; of a first one that does not, its beginning. */
function joined(parts: readonly string[], most: number): string {
  const separator = '\n\n';
  let text = '';
  for (const part of parts) {
    const longer = text === '' ? part : `${text}${separator}${part}`;
    if (longer.length + separator.length + ellipsis.length > most)
      return text === '' ? cut(part, most) : `${text}${separator}${ellipsis}`;
    text = longer;
  }
  return text;
}

/** The beginning of a text that is too long, of whole characters. */
function cut(text: string, most: number, sizeOf = (part: string) => part.length): string {
  if (sizeOf(text) <= most) return text;
  let kept = '';
  for (const character of text) {
    if (sizeOf(`${kept}${character}${ellipsis}`) > most) break;
    kept += character;
  }
  // Half an escape would escape what follows.
  return `${kept.replace(/\\+$/, '')}${ellipsis}`;
}
