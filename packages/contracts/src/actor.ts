import type { Scope } from './scopes.ts';

interface ActingUser {
  readonly userId: number;
  readonly isAdmin: boolean;
  /** Why the account is suspended; left out when it is not. Then `isAdmin` is false. */
  readonly suspensionReason?: string | undefined;
  /** They need a verified email address, and have none. */
  readonly lacksEmail?: true | undefined;
  /** They need a second factor, and have none. */
  readonly lacksFactor?: true | undefined;
}

/** Somebody who is signed in. */
export interface SessionActor extends ActingUser {
  readonly sessionId: string;
  /** When they last signed in or made a step-up with this session, in ms since the epoch. */
  readonly provedAt?: number | undefined;
  readonly apiKey?: undefined;
}

/** An API key that acts in its owner’s name. */
export interface ActingKey {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The only proxies that it reaches; null: all that its owner reaches. */
  readonly proxyIds: readonly number[] | null;
  /** In ms since the epoch; null: never. */
  readonly expiresAt: number | null;
}

export interface KeyActor extends ActingUser {
  readonly sessionId: null;
  readonly provedAt?: undefined;
  readonly apiKey: ActingKey;
}

/** Who acts, as auth has signed it; travels with every call. */
export type Actor = SessionActor | KeyActor;
