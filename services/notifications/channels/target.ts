import { randomBytes } from 'node:crypto';
import type { ChannelKind, IssueKey } from '@talpa/contracts';
import { invalidField } from '@talpa/service-kit/app-error';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { type SealedSecret, seal, unseal } from '@talpa/service-kit/sealed-secret';
import { z } from 'zod';

/** Where a channel leads and what opens it. All of it is secret: with it anybody can write there. */
const target = z.object({
  url: z.string().optional(),
  topic: z.string().optional(),
  token: z.string().optional(),
  chat: z.string().optional(),
  /** Of a webhook: `whsec_…`, and the one that was replaced. */
  secret: z.string().optional(),
  formerSecret: z.string().optional(),
});
export type Target = z.infer<typeof target>;
export type GivenTarget = Pick<Target, 'url' | 'topic' | 'token' | 'chat'>;

const setting = 'CHANNEL_KEYS';

export const sealTarget = (keys: KeyRing, channelId: number, given: Target): SealedSecret =>
  seal(keys, String(channelId), Buffer.from(JSON.stringify(given)));
/** @throws Error when its key is no longer known */
export const unsealTarget = (keys: KeyRing, channelId: number, sealed: SealedSecret): Target =>
  target.parse(JSON.parse(unseal(keys, setting, String(channelId), sealed).toString('utf8')));

/** As Standard Webhooks write it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const telegramHost = 'api.telegram.org';
const discordUrl =
  /^https:\/\/((ptb|canary)\.)?discord\.com\/api\/(v\d{1,3}\/)?webhooks\/\d{1,20}\/[\w-]{1,200}$/;
const botToken = /^\d{1,20}:[\w-]{20,100}$/;

interface Form {
  readonly required: readonly (keyof GivenTarget)[];
  readonly optional: readonly (keyof GivenTarget)[];
  readonly patterns: Partial<Record<keyof GivenTarget, readonly [RegExp, IssueKey]>>;
}
const forms: Record<ChannelKind, Form> = {
  webhook: { required: ['url'], optional: [], patterns: {} },
  discord: { required: ['url'], optional: [], patterns: { url: [discordUrl, 'discordUrl'] } },
  ntfy: { required: ['url', 'topic'], optional: ['token'], patterns: {} },
  telegram: { required: ['token', 'chat'], optional: [], patterns: { token: [botToken, 'telegramToken'] } },
};

/** The fields that a kind of channel has, of those that were given. @throws AppError for one that is missing or wrong */
export function targetOf(kind: ChannelKind, given: GivenTarget): GivenTarget {
  const { required, optional, patterns } = forms[kind];
  for (const name of required) if (given[name] === undefined) throw invalidField(name, 'required');
  for (const [name, [pattern, issue]] of Object.entries(patterns))
    if (!pattern.test(given[name as keyof GivenTarget] ?? '')) throw invalidField(name, issue);
  return Object.fromEntries(
    [...required, ...optional].flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** What of an address may be shown. */
export const hostOf = (kind: ChannelKind, { url }: GivenTarget): string =>
  kind === 'telegram' || url === undefined ? telegramHost : new URL(url).host;

/** Where messages to a Telegram bot's chats go. */
export const telegramUrl = (token: string) => `https://${telegramHost}/bot${token}/sendMessage`;
