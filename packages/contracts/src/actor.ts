/** Who acts, as the gateway found out from the session; travels with every call. */
export interface Actor {
  readonly userId: number;
  readonly isAdmin: boolean;
  readonly sessionId: string;
  /** Why the account is suspended; left out when it is not. Then `isAdmin` is false. */
  readonly suspensionReason?: string | undefined;
  /** They need a verified email address, and have none. */
  readonly lacksEmail?: true | undefined;
}
