import {
  type Actor,
  accessError,
  type CallAccess,
  type ErrorCode,
  errors,
  type Issue,
  type IssueKey,
  type TextParams,
} from '@talpa/contracts';

export interface ErrorDetails {
  readonly params?: TextParams;
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

/** An expected failure: a code of the contract with its parameters. Texts are made at the gateway. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: TextParams | undefined;
  readonly issues: readonly Issue[] | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(code, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.params = details.params;
    this.issues = details.issues;
  }

  /** The HTTP status the contract gives this error. */
  get status(): number {
    return errors[this.code].status;
  }
}

/** Refuses a call that the actor may not make, whatever its input. @throws AppError see `accessError` */
export function refuseAccess(call: CallAccess, actor: Actor | null): void {
  const code = accessError(call, actor);
  if (!code) return;
  throw new AppError(code, code === 'scope_missing' ? { params: { scope: call.scope ?? '' } } : {});
}

/** Refuses one field of the input. */
export function invalidField(field: string, key: IssueKey): AppError {
  return new AppError('invalid_input', { issues: [{ path: [field], key }] });
}
