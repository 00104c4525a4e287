/** Who acts, as the gateway found out from the session; travels with every call. */
export interface Actor {
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly sessionId: string;
  /** Why the account is suspended; left out when it is not. Then `isAdmin` is false. */
  readonly suspensionReason?: string | undefined;
  /** When they last signed in or made a step-up with this session, in ms since the epoch. */
  readonly provedAt?: number | undefined;
  /** They need a verified email address, and have none. */
  readonly lacksEmail?: true | undefined;
  /** They need a second factor, and have none. */
  readonly lacksFactor?: true | undefined;
}
