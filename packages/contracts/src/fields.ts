import { z } from 'zod';
import { codeAlphabet, plainCode } from './codes.ts';
import { providerIdPattern } from './identities.ts';
import { invitationCodeLength } from './invitations.ts';
import type { IssueKey } from './issues.ts';
import { tiers } from './plans.ts';
import { recoveryCodeLength } from './second-factors.ts';

/** A message of a schema: always the key of a text in `issues.ts`. */
const issue = (key: IssueKey) => key;

type TextError = NonNullable<Parameters<typeof z.string>[0]>;
/**
 * A text of at most so many characters. Nothing else looks at a longer one: composing, searching and parsing take time by
 * the length, some by its square. `lengths.test.ts` holds every input to it.
 */
export const text = (maximum: number, tooLong?: IssueKey, error?: TextError) =>
  z.string(error).max(maximum, { abort: true, ...(tooLong && { error: tooLong }) });
/** The same, without the space around it. */
export const trimmed = (maximum: number, tooLong?: IssueKey, error?: TextError) =>
  z
    .string(error)
    .trim()
    .max(maximum, { abort: true, ...(tooLong && { error: tooLong }) });
/** The same, composed (NFC): that makes some texts longer. */
const composed = (maximum: number, error?: TextError) =>
  trimmed(maximum, undefined, error).normalize('NFC').max(maximum, { abort: true });

const wholeNumber = /^-?\d+$/;
const longestNumber = 32;
/** A form sends numbers as text: turn what is written as one into one before it is checked. */
export const coerced = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (isWrittenNumber(value) ? Number(value) : value), schema);
function isWrittenNumber(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestNumber && wholeNumber.test(value.trim());
}

/** No control characters, no halves of characters, nothing that turns the direction of what follows. */
const plainCharacters = /^[^\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]*$/u;
/** Something that can be seen. */
const visibleCharacter = /[^\s\p{Default_Ignorable_Code_Point}]/u;
/** One line of text: trimmed, composed (NFC), of plain characters, one of which can be seen. */
const line = (required: IssueKey, maximum: number) =>
  composed(maximum, { error: (issue) => (issue.input === undefined ? required : undefined) })
    .min(1, required)
    .regex(visibleCharacter, required)
    .regex(plainCharacters, issue('controlCharacters'));

/** Ids of users and proxies: positive integers below 2^53. */
export const id = coerced(z.int().positive());

/** Letters, digits and their marks that can be seen: with the others a name would look like somebody else's. */
const nameCharacters = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}_.-])+$/u;
export const username = line('required', 32)
  .min(3, issue('usernameTooShort'))
  .regex(nameCharacters, issue('usernameCharacters'));
export const newPassword = text(128).min(1, issue('required')).min(6, issue('passwordTooShort'));
/** The secret of a link that works once. */
export const oneTimeToken = text(128)
  .min(1, issue('required'))
  .regex(plainCharacters, issue('controlCharacters'));
/** An invitation's code as it was typed; gives it without hyphens. */
export const invitationCode = trimmed(64, 'invitationCode')
  .min(1, issue('required'))
  .transform(plainCode)
  .pipe(text(64).regex(new RegExp(`^[${codeAlphabet}]{${invitationCodeLength}}$`), issue('invitationCode')));
const codeOf = (pattern: string, wrong: IssueKey) =>
  trimmed(64, wrong)
    .min(1, issue('required'))
    .transform(plainCode)
    .pipe(text(64).regex(new RegExp(`^(?:${pattern})$`), issue(wrong)));
const ofRecovery = `[${codeAlphabet}]{${recoveryCodeLength}}`;
/** A code of an authenticator app as it was typed, with spaces or without. */
export const appCode = codeOf(String.raw`\d{6}`, 'appCode');
/** A recovery code as it was typed; gives it without hyphens. */
export const recoveryCode = codeOf(ofRecovery, 'recoveryCode');
/** What proves the second factor: one or the other. */
export const factorCode = codeOf(String.raw`\d{6}|${ofRecovery}`, 'factorCode');
/** The response to a sign-in that awaits a code. */
export const challenge = text(1_024)
  .min(1, issue('required'))
  .regex(plainCharacters, issue('controlCharacters'));
/** The id of a sign-in provider. */
export const providerId = text(32, 'invalid').regex(providerIdPattern, issue('invalid'));
/** What a sign-in provider has added to an address. */
export const providerParameter = text(4_096)
  .min(1, issue('required'))
  .regex(plainCharacters, issue('controlCharacters'));
export const invitationMonths = coerced(
  z.int(issue('wholeNumber')).min(1, issue('monthsRange')).max(36, issue('monthsRange')),
);
export const invitationUses = coerced(
  z.int(issue('wholeNumber')).min(1, issue('usesRange')).max(1_000, issue('usesRange')),
);
/** Empty means none. */
export const invitationNote = composed(200).regex(plainCharacters, issue('controlCharacters'));
/** What visitors of a paused proxy read. Empty means nothing. */
export const pauseMessage = composed(500).regex(plainCharacters, issue('controlCharacters'));
/** What an announcement says: one line, and one paragraph. */
export const announcementTitle = line('required', 120);
export const announcementText = line('required', 1_000);
/** How a user calls a notification channel. */
export const channelName = line('required', 60);
/** How a user calls a passkey. */
export const passkeyName = line('required', 60);
/** How a service token of a proxy is called. */
export const serviceTokenName = line('required', 60);
/** How a user calls an API key. */
export const apiKeyName = line('required', 60);
/** An IP address or a network in CIDR notation. */
export const network = trimmed(64)
  .min(1, issue('required'))
  .refine(
    (text) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((one) => one.safeParse(text).success),
    issue('network'),
  );
/** Digits as people type and paste them: without spaces and what is invisible, full-width ones as ASCII. Longer text stays as it is. */
export const typedDigits = (text: string) =>
  text.length > 100 ? text : text.normalize('NFKC').replace(/[\s\p{Cf}]/gu, '');
/** What lets visitors pass the wall of a proxy. */
export const wallPin = text(100, 'wallPin')
  .overwrite(typedDigits)
  .regex(/^\d{6,12}$/, issue('wallPin'));
export const wallPassword = text(128)
  .min(10, issue('wallPassword'))
  .regex(plainCharacters, issue('controlCharacters'));
/** A country of ISO 3166-1, by its two letters. */
export const country = text(2, 'invalid').regex(/^[A-Z]{2}$/, issue('invalid'));
/** A path without a query, as a rule about visitors names it: nothing in it that two servers could read in two ways. */
export const pathPrefix = trimmed(200)
  .min(1, issue('required'))
  .regex(/^(\/(?!\.{0,2}(\/|$))[\w.~!$&'()*+,=:@-]+)*\/?$/, issue('pathPrefix'));
/** A path with its query, as a visitor sends it. */
export const visitedPath = trimmed(2_000)
  .min(1, issue('required'))
  .regex(/^\/[\x21-\x7e]*$/, issue('visitedPath'));
/** A visitor's address. */
export const address = trimmed(64)
  .min(1, issue('required'))
  .refine((text) => [z.ipv4(), z.ipv6()].some((one) => one.safeParse(text).success), issue('address'));
const webUrl = z.url({ protocol: /^https?$/i });
/** Up to the path, without a name and a password. */
const plainOrigin = /^https?:\/\/[^/?#\\@\s]+([/?#]|$)/i;
/** Where messages are sent: no name and password in it, which anyone who sees the address would see. */
export const channelUrl = trimmed(1_000)
  .min(1, issue('required'))
  .refine((text) => webUrl.safeParse(text).success && plainOrigin.test(text), issue('channelUrl'));
export const ntfyTopic = trimmed(64, 'ntfyTopic')
  .min(1, issue('required'))
  .regex(/^[\w-]{1,64}$/, issue('ntfyTopic'));
export const channelToken = trimmed(256)
  .min(1, issue('required'))
  .regex(/^[\x21-\x7e]+$/, issue('channelToken'));
/** A number, or the name of a public channel. */
export const telegramChat = trimmed(33, 'telegramChat')
  .min(1, issue('required'))
  .regex(/^(-?\d{1,20}|@\w{4,32})$/, issue('telegramChat'));

/** A moment as a form holds it before it is sent. */
export const enteredTime = line('required', 40);
/** Signing in applies no bounds but these, so that old passwords keep working. */
export const givenUsername = composed(128)
  .min(1, issue('required'))
  .regex(plainCharacters, issue('controlCharacters'));
/** A user name, or the email address of an account. */
export const givenAccount = composed(254)
  .min(1, issue('required'))
  .regex(plainCharacters, issue('controlCharacters'));
export const givenPassword = text(128).min(1, issue('required'));

export const serverName = line('serverNameRequired', 100);
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const dottedNumbers = /^[\d.]+$/;
const isName = (value: string) => hostName.test(value) && !dottedNumbers.test(value);
const isNameOrIPv4 = (value: string) => isName(value) || z.ipv4().safeParse(value).success;
/** An IPv4 or IPv6 address or a host name, nothing else: protocol and port are entered beside it. */
export const serverIP = line('serverIPRequired', 253).refine(
  (value) => isNameOrIPv4(value) || z.ipv6().safeParse(value).success,
  issue('serverIPInvalid'),
);
export const adminPort = coerced(
  z.int(issue('portRange')).min(1, issue('portRange')).max(65_535, issue('portRange')),
);
/** What was typed as custom subdomain; `subdomain.ts` makes the label of it. Empty means none. */
export const customUrl = trimmed(253)
  .regex(plainCharacters, issue('controlCharacters'))
  .nullish()
  .transform((value) => value || null);

/** A name that may be left out: empty means none. */
const optionalName = (maximum: number, isRight: (value: string) => boolean, wrong: IssueKey) =>
  trimmed(maximum, wrong)
    .refine((value) => value === '' || isRight(value), issue(wrong))
    .nullable()
    .transform((value) => value || null);
/** Whose certificate a panel is to have: TLS knows names alone (RFC 6066). Empty means none. */
export const originServerName = optionalName(253, isName, 'originServerName');
/** What a panel gets as `Host`: a host name or an IP address, with a port or without. Empty means none. */
export const httpHostHeader = optionalName(260, isHost, 'httpHostHeader');

/** The host name of a proxy that somebody visits. */
export const visitedHost = text(253).regex(hostName, issue('invalid')).toLowerCase();

/** A domain that a user brings, as it was typed; proxies make a host name of it. */
export const customHost = line('required', 300);

/** The value of an `Idempotency-Key` header. */
export const idempotencyKey = text(128).regex(/^[\x21-\x7e]{1,128}$/);
/** What a list is searched for; empty means nothing. */
export const searched = composed(100)
  .regex(plainCharacters, issue('controlCharacters'))
  .optional()
  .transform((text) => text || undefined);

/** A moment in a query; the database knows no year 0. */
export const time = text(40).check(z.iso.datetime());
export const moment = time.regex(/^(?!0000)/);
export const uuid = text(36).check(z.uuid());

/** A time of the day: `22:00`. */
export const clock = text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/);
/** An IANA name that this program knows. */
export const timeZone = text(64).refine(isTimeZone, issue('invalid'));

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** What something done was about, as the audit trail names it: an id. */
export const targetId = text(64).regex(/^[\x21-\x7e]{1,64}$/);

/** Why something is suspended, as its owner reads it. */
export const suspensionReason = line('required', 300);
export const proxyLimit = coerced(
  z.int(issue('wholeNumber')).min(0, issue('proxyLimitMinimum')).max(10_000, issue('proxyLimitMaximum')),
);
/** A plan; `none` (or null) is no plan and is stored as null. */
export const tierOrNone = z
  .enum([...tiers, 'none'])
  .nullable()
  .transform((tier) => (tier === 'none' ? null : tier));
/** The browser's own rule for email inputs. */
const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;
const emailOf = (pattern: RegExp) => trimmed(254).regex(pattern, issue('emailInvalid'));
/** Empty means none. */
export const email = emailOf(new RegExp(`^$|${emailPattern.source}`, 'i'));
export const givenEmail = emailOf(emailPattern);
/** One that is compared with others. */
export const listedEmail = givenEmail.toLowerCase();

function isHost(value: string): boolean {
  const [, address, name, port] = /^(?:\[([\da-f:.]+)\]|([^:]+))(?::(\d{1,5}))?$/i.exec(value) ?? [];
  const isRight = address === undefined ? isNameOrIPv4(name ?? '') : z.ipv6().safeParse(address).success;
  return isRight && (port === undefined || (Number(port) > 0 && Number(port) <= 65_535));
}

const extensibles = new WeakSet<z.ZodType>();

/** An object of another specification, which browsers extend: what it has beside its fields is ignored, not refused. */
export function extensible<T extends z.ZodType>(schema: T): T {
  extensibles.add(schema);
  return schema;
}
export const isExtensible = (schema: z.ZodType): boolean => extensibles.has(schema);
