import type { Actor, FactorPolicy, RegistrationMode } from '@talpa/contracts';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import type { Passwords } from '@talpa/service-kit/passwords';
import type { ServiceContext } from '@talpa/service-kit/service/service';
import type { SessionToken } from '@talpa/service-kit/session/token';
import type { Providers } from './identities/providers.ts';
import type { VerifyChallenge } from './sign-ins/challenges.ts';

interface Parts {
  readonly passwords: Passwords;
  readonly sessionKeys: KeyRing;
  /** Encrypt the secrets of authenticator apps. */
  readonly factorKeys: KeyRing;
  /** The panel's public address; undefined where none is set. */
  readonly publicUrl: string | undefined;
  /** The host that passkeys belong to; null: there are none. */
  readonly passkeyHost: string | null;
  /** Where users may sign in beside here. */
  readonly providers: Providers;
  readonly registration: RegistrationMode;
  /** When registrations from one network take a proof of work, and how hard it is. */
  readonly registrationProof: { readonly after: number; readonly bits: number };
  /** Whether an account needs a verified email address. */
  readonly emailRequired: boolean;
  /** Who must have a second factor. */
  readonly factorPolicy: FactorPolicy;
  /** Whether a name is reserved, so that nobody may register it. */
  readonly isReservedName: (username: string) => boolean;
  readonly verifyToken: (jwt: string) => SessionToken | null;
  readonly verifyChallenge: VerifyChallenge;
  /** How many codes of a second factor may be wrong within a quarter of an hour. */
  readonly wrongCodeLimit: number;
  readonly signAssertion: (actor: Actor) => string;
}

/** What every verb of auth gets. */
export type AuthContext = ServiceContext<Parts>;
