import { z } from 'zod';
import { personal } from './personal-data.ts';

/** The maximum number of linked identities per user. */
export const identitiesPerUser = 10;

const time = z.iso.datetime();

/** What a sign-in provider speaks: OpenID Connect, or Discord’s OAuth 2. */
export const providerKinds = ['openid', 'discord'] as const;
/** How the operator calls a provider in SIGN_IN_PROVIDERS: a part of addresses. */
export const providerIdPattern = /^[a-z0-9-]{1,32}$/;

/** A provider that the operator offers for signing in. */
export const signInProvider = z
  .object({ id: z.string(), kind: z.enum(providerKinds), label: z.string() })
  .meta({ id: 'SignInProvider' });
export type SignInProvider = z.infer<typeof signInProvider>;

/** Where a browser goes to sign in at a provider. */
export const providerRequest = z.object({ url: z.url() }).meta({ id: 'ProviderRequest' });

/** An account at a sign-in provider that is linked to a user. */
export const identity = z
  .object({
    id: z.int().positive(),
    /** Null: the operator no longer offers the provider, so that nobody signs in with it. */
    provider: signInProvider.nullable(),
    /** The address by which the provider is known. */
    issuer: z.string(),
    /** What its owner is called there, as of when it was linked. */
    name: personal(z.string()),
    linkedAt: time,
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'Identity' });
export type Identity = z.infer<typeof identity>;
