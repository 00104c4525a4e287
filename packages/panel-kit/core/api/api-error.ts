/** One faulty field, as the server names it. */
export interface FieldIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Why a call did not succeed; `message` is for people, in the language the call was made in. */
export class ApiError extends Error {
  /** HTTP status; 0 when no response came. */
  readonly status: number;
  /** One of the contract's codes; null when something else responded. */
  readonly code: string | null;
  readonly issues: readonly FieldIssue[];
  /** With it and a code of the second factor, or a name for the new account, the sign-in goes on; null: the error is another one. */
  readonly challenge: string | null;
  /** What a sign-in provider says of somebody who has no account yet. */
  readonly suggestion: { readonly username: string; readonly email: string } | null;
  /** The proxy that an invitation is for, where the user may see it already. */
  readonly proxyId: number | null;
  readonly requestId: string | null;

  constructor(
    message: string,
    details: {
      readonly status: number;
      readonly code?: string | undefined;
      readonly issues?: readonly FieldIssue[] | undefined;
      readonly challenge?: string | undefined;
      readonly suggestion?: { readonly username: string; readonly email: string } | undefined;
      readonly proxyId?: number | undefined;
      readonly requestId?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code ?? null;
    this.issues = details.issues ?? [];
    this.challenge = details.challenge ?? null;
    this.suggestion = details.suggestion ?? null;
    this.proxyId = details.proxyId ?? null;
    this.requestId = details.requestId ?? null;
  }
}
