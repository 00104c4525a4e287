import { z } from 'zod';
import { mostAccessRules, mostListedEmails } from './access-limits.ts';
import * as fields from './fields.ts';

/** What a rule does: lets the visitor in, refuses them, or goes on to what comes after all rules. */
export const accessActions = ['allow', 'deny', 'continue'] as const;
export type AccessAction = (typeof accessActions)[number];

/**
 * How a visitor passes the wall: signed in at Talpa as the owner or a member, by what the owner has given them, or with a code that
 * is sent to an email address which the owner has listed.
 */
export const wallMethods = ['member', 'pin', 'password', 'email'] as const;
export type WallMethod = (typeof wallMethods)[number];

/** An address or a network in CIDR notation. */
const byAddress = z.object({ by: z.literal('address'), network: fields.network });
/** The country that the address is registered in (ISO 3166-1 alpha-2). */
const byCountry = z.object({ by: z.literal('country'), country: fields.country });
/** The path and what is below it. */
const byPath = z.object({ by: z.literal('path'), path: fields.pathPrefix });

const ruleFields = {
  action: z.enum(accessActions),
  /** From then on it matches nobody; null: it has no end. */
  expiresAt: fields.time.nullable(),
};
const accessRule = z.object({
  ...ruleFields,
  match: z.discriminatedUnion('by', [byAddress, byCountry, byPath]),
});
export type AccessRule = z.infer<typeof accessRule>;
/** A rule of what has no paths. */
const addressRule = z.object({ ...ruleFields, match: z.discriminatedUnion('by', [byAddress, byCountry]) });

/** In order: the first rule that matches decides. */
const rules = z.array(accessRule).max(mostAccessRules, 'rulesTooMany');

/** Who may visit a proxy. Who reads a policy of a kind that they do not know denies. */
export const accessPolicy = z
  .discriminatedUnion('kind', [
    /** Everyone. */
    z.object({ kind: z.literal('open') }),
    /** Whom the rules let in; `otherwise` is for those whom no rule matches, and for `continue`. */
    z.object({ kind: z.literal('rules'), rules, otherwise: z.enum(['allow', 'deny']) }),
    /** Whom the rules let in, and of those whom no rule matches who passes the wall. */
    z.object({
      kind: z.literal('wall'),
      rules,
      methods: z.array(z.enum(wallMethods)).min(1, 'methodRequired').max(wallMethods.length),
      /** Whether one of the methods is enough. The owner passes by signing in alone. */
      require: z.enum(['any', 'all']),
      /** How long a visitor stays in. */
      days: fields.coerced(z.int().min(1).max(30)),
      /** Who gets a code by email; shown to those alone who may manage the proxy. */
      emails: z
        .array(fields.listedEmail)
        .max(mostListedEmails, 'emailsTooMany')
        .overwrite((list) => [...new Set(list)])
        .default([]),
      /** Whether CORS preflights pass, which browsers send without cookies: nothing but their own headers reaches the origin. */
      preflights: z.boolean().default(false),
    }),
  ])
  .meta({ id: 'AccessPolicy' });
export type AccessPolicy = z.infer<typeof accessPolicy>;
export type AccessPolicyKind = AccessPolicy['kind'];

export const openPolicy: AccessPolicy = { kind: 'open' };

/** Who may visit a new proxy: everyone, or only its owner and members. */
export const newProxyAccess = z.enum(['open', 'protected']);
export type NewProxyAccess = z.infer<typeof newProxyAccess>;

/** The policy of a proxy that is created `protected`. */
export const protectedPolicy: AccessPolicy = {
  kind: 'wall',
  rules: [],
  methods: ['member'],
  require: 'any',
  days: 7,
  emails: [],
  preflights: false,
};

/** Who may connect to a game port: an access policy without a wall and rules of paths. */
export const gamePortRules = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('open') }),
    z.object({
      kind: z.literal('rules'),
      rules: z.array(addressRule).max(mostAccessRules, 'rulesTooMany'),
      otherwise: z.enum(['allow', 'deny']),
    }),
  ])
  .meta({ id: 'GamePortRules' });
export type GamePortRules = z.infer<typeof gamePortRules>;

/**
 * Why a policy lets a visitor in or not: a rule, what comes after all rules, a path that two servers could read in two ways
 * of which a rule means one (then the stricter outcome holds), or a policy that the reader does not understand.
 */
export const accessReasons = ['open', 'rule', 'no_rule', 'ambiguous_path', 'unknown_policy'] as const;
export type AccessReason = (typeof accessReasons)[number];

/** What a policy says of a visitor. */
export const accessVerdict = z.object({
  outcome: z.enum(['allow', 'deny', 'wall']),
  reason: z.enum(accessReasons),
  /** The rule that decided, counted from 1; null: none did. */
  rule: z.int().nullable(),
});
export type AccessVerdict = z.infer<typeof accessVerdict>;

/** A proxy's policy as the API shows it. */
export const proxyAccess = z.object({
  policy: accessPolicy,
  /** Which secrets of the wall are set; nobody can read them. */
  secrets: z.object({ pin: z.boolean(), password: z.boolean() }),
  /** Whether visitors can sign in at Talpa: where PUBLIC_URL is set. */
  signIn: z.boolean(),
  /** Whether codes can be sent by email: where MAIL_FROM is set. */
  email: z.boolean(),
  /** Whether the tunnel provider can enforce one: Talpa's own edge can. */
  available: z.boolean(),
  /** The address that the caller has now, and the country that it is registered in; null: that is not known. */
  address: z.string(),
  country: fields.country.nullable(),
});
export type ProxyAccess = z.infer<typeof proxyAccess>;
