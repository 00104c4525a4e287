import { z } from 'zod';
import { codeAlphabet, plainCode } from './codes.ts';
import { providerIdPattern } from './identities.ts';
import { invitationCodeLength } from './invitations.ts';
import type { IssueKey } from './issues.ts';
import { tiers } from './plans.ts';
import { recoveryCodeLength } from './second-factors.ts';

/** A message of a schema: always the key of a text in `issues.ts`. */
const issue = (key: IssueKey) => key;

const wholeNumber = /^-?\d+$/;
/** A form sends numbers as text: turn what is written as one into one before it is checked. */
export const coerced = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' && wholeNumber.test(value.trim()) ? Number(value) : value),
    schema,
  );

/** No control characters, no halves of characters, nothing that turns the direction of what follows. */
const plainCharacters = /^[^\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]*$/u;
/** Something that can be seen. */
const visibleCharacter = /[^\s\p{Default_Ignorable_Code_Point}]/u;
/** One line of text: trimmed, composed (NFC), of plain characters, one of which can be seen. */
const line = (required: IssueKey, maximum: number) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? required : undefined) })
    .trim()
    .normalize('NFC')
    .min(1, required)
    .regex(visibleCharacter, required)
    .max(maximum)
    .regex(plainCharacters, issue('controlCharacters'));

/** Ids of users and proxies: positive integers below 2^53. */
export const id = coerced(z.int().positive());

/** Letters, digits and their marks that can be seen: with the others a name would look like somebody else's. */
const nameCharacters = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}_.-])+$/u;
export const username = line('required', 32)
  .min(3, issue('usernameTooShort'))
  .regex(nameCharacters, issue('usernameCharacters'));
export const newPassword = z.string().min(1, issue('required')).min(6, issue('passwordTooShort')).max(128);
/** The secret of a link that works once. */
export const oneTimeToken = z
  .string()
  .min(1, issue('required'))
  .max(128)
  .regex(plainCharacters, issue('controlCharacters'));
/** An invitation's code as it was typed; gives it without hyphens. */
export const invitationCode = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(64, issue('invitationCode'))
  .transform(plainCode)
  .pipe(
    z.string().regex(new RegExp(`^[${codeAlphabet}]{${invitationCodeLength}}$`), issue('invitationCode')),
  );
const codeOf = (pattern: string, wrong: IssueKey) =>
  z
    .string()
    .trim()
    .min(1, issue('required'))
    .max(64, issue(wrong))
    .transform(plainCode)
    .pipe(z.string().regex(new RegExp(`^(?:${pattern})$`), issue(wrong)));
const ofRecovery = `[${codeAlphabet}]{${recoveryCodeLength}}`;
/** A code of an authenticator app as it was typed, with spaces or without. */
export const appCode = codeOf(String.raw`\d{6}`, 'appCode');
/** A recovery code as it was typed; gives it without hyphens. */
export const recoveryCode = codeOf(ofRecovery, 'recoveryCode');
/** What proves the second factor: one or the other. */
export const factorCode = codeOf(String.raw`\d{6}|${ofRecovery}`, 'factorCode');
/** The response to a sign-in that awaits a code. */
export const challenge = z
  .string()
  .min(1, issue('required'))
  .max(1_024)
  .regex(plainCharacters, issue('controlCharacters'));
/** The id of a sign-in provider. */
export const providerId = z.string().regex(providerIdPattern, issue('invalid'));
/** What a sign-in provider has added to an address. */
export const providerParameter = z
  .string()
  .min(1, issue('required'))
  .max(4_096)
  .regex(plainCharacters, issue('controlCharacters'));
export const invitationMonths = coerced(
  z.int(issue('wholeNumber')).min(1, issue('monthsRange')).max(36, issue('monthsRange')),
);
export const invitationUses = coerced(
  z.int(issue('wholeNumber')).min(1, issue('usesRange')).max(1_000, issue('usesRange')),
);
/** Empty means none. */
export const invitationNote = z
  .string()
  .trim()
  .normalize('NFC')
  .max(200)
  .regex(plainCharacters, issue('controlCharacters'));
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
export const network = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(64)
  .refine(
    (text) => [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((one) => one.safeParse(text).success),
    issue('network'),
  );
/** What lets visitors pass the wall of a proxy. */
export const wallPin = z
  .string()
  .trim()
  .regex(/^\d{6,12}$/, issue('wallPin'));
export const wallPassword = z
  .string()
  .min(10, issue('wallPassword'))
  .max(128)
  .regex(plainCharacters, issue('controlCharacters'));
/** A country of ISO 3166-1, by its two letters. */
export const country = z.string().regex(/^[A-Z]{2}$/, issue('invalid'));
/** A path without a query, as a rule about visitors names it: nothing in it that two servers could read in two ways. */
export const pathPrefix = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(200)
  .regex(/^(\/(?!\.{0,2}(\/|$))[\w.~!$&'()*+,=:@-]+)*\/?$/, issue('pathPrefix'));
/** A path with its query, as a visitor sends it. */
export const visitedPath = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(2_000)
  .regex(/^\/[\x21-\x7e]*$/, issue('visitedPath'));
/** A visitor's address. */
export const address = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(64)
  .refine((text) => [z.ipv4(), z.ipv6()].some((one) => one.safeParse(text).success), issue('address'));
const webUrl = z.url({ protocol: /^https?$/i });
/** Up to the path, without a name and a password. */
const plainOrigin = /^https?:\/\/[^/?#\\@\s]+([/?#]|$)/i;
/** Where messages are sent: no name and password in it, which anyone who sees the address would see. */
export const channelUrl = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(1_000)
  .refine((text) => webUrl.safeParse(text).success && plainOrigin.test(text), issue('channelUrl'));
export const ntfyTopic = z
  .string()
  .trim()
  .min(1, issue('required'))
  .regex(/^[\w-]{1,64}$/, issue('ntfyTopic'));
export const channelToken = z
  .string()
  .trim()
  .min(1, issue('required'))
  .max(256)
  .regex(/^[\x21-\x7e]+$/, issue('channelToken'));
/** A number, or the name of a public channel. */
export const telegramChat = z
  .string()
  .trim()
  .min(1, issue('required'))
  .regex(/^(-?\d{1,20}|@\w{4,32})$/, issue('telegramChat'));

/** A moment as a form holds it before it is sent. */
export const enteredTime = line('required', 40);
/** Signing in applies no bounds but these, so that old passwords keep working. */
export const givenUsername = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, issue('required'))
  .max(128)
  .regex(plainCharacters, issue('controlCharacters'));
/** A user name, or the email address of an account. */
export const givenAccount = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, issue('required'))
  .max(254)
  .regex(plainCharacters, issue('controlCharacters'));
export const givenPassword = z.string().min(1, issue('required')).max(128);

export const serverName = line('serverNameRequired', 100);
const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const dottedNumbers = /^[\d.]+$/;
/** An IPv4 or IPv6 address or a host name, nothing else: the origin is always plain http. */
export const serverIP = line('serverIPRequired', 253).refine(
  (value) =>
    z.ipv4().safeParse(value).success ||
    z.ipv6().safeParse(value).success ||
    (hostName.test(value) && !dottedNumbers.test(value)),
  issue('serverIPInvalid'),
);
export const adminPort = coerced(
  z.int(issue('portRange')).min(1, issue('portRange')).max(65_535, issue('portRange')),
);
/** What was typed as custom subdomain; `subdomain.ts` makes the label of it. Empty means none. */
export const customUrl = z
  .string()
  .trim()
  .max(253)
  .regex(plainCharacters, issue('controlCharacters'))
  .nullish()
  .transform((value) => value || null);

/** A domain that a user brings, as it was typed; proxies make a host name of it. */
export const customHost = line('required', 300);

/** The value of an `Idempotency-Key` header. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,128}$/);
/** What a list is searched for; empty means nothing. */
export const searched = z
  .string()
  .trim()
  .normalize('NFC')
  .max(100)
  .regex(plainCharacters, issue('controlCharacters'))
  .optional()
  .transform((text) => text || undefined);

/** A moment in a query; the database knows no year 0. */
export const moment = z.iso.datetime().regex(/^(?!0000)/);

/** A time of the day: `22:00`. */
export const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
/** An IANA name that this program knows. */
export const timeZone = z.string().max(64).refine(isTimeZone, issue('invalid'));

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

/** What something done was about, as the audit trail names it: an id. */
export const targetId = z.string().regex(/^[\x21-\x7e]{1,64}$/);

/** Why something is suspended, as its owner reads it. */
export const suspensionReason = line('required', 300);
export const proxyLimit = coerced(
  z.int(issue('wholeNumber')).min(0, issue('proxyLimitMinimum')).max(10_000, issue('invalid')),
);
/** A plan; `none` (or null) is no plan and is stored as null. */
export const tierOrNone = z
  .enum([...tiers, 'none'])
  .nullable()
  .transform((tier) => (tier === 'none' ? null : tier));
/** The browser's own rule for email inputs. */
const emailPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;
const emailOf = (pattern: RegExp) => z.string().trim().max(254).regex(pattern, issue('emailInvalid'));
/** Empty means none. */
export const email = emailOf(new RegExp(`^$|${emailPattern.source}`, 'i'));
export const givenEmail = emailOf(emailPattern);
/** One that is compared with others. */
export const listedEmail = givenEmail.toLowerCase();
