import { type ErrorCode, errors, type Issue, type IssueKey, type TextParams } from '@talpa/contracts';

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

/** Refuses one field of the input. */
export function invalidField(field: string, key: IssueKey): AppError {
  return new AppError('invalid_input', { issues: [{ path: [field], key }] });
}
