import type { Sql } from '@talpa/service-kit/database/sql';
import type { KeyRing } from '@talpa/service-kit/key-ring';
import { z } from 'zod';
import { ApiError, type apiErrors } from './errors.ts';

/** What every operation stands on. */
export interface ProviderContext {
  readonly sql: Sql;
  /** Encrypts tunnel secrets. */
  readonly keys: KeyRing;
  /** The one account whose tunnels these are. */
  readonly accountId: string;
  /** The one zone whose records these are. */
  readonly zoneId: string;
  /** Orders certificates; null where none are ordered. */
  readonly keeper?: { hint(): void } | null;
}

/** One call of the API: path parameters, query and body together make its input. */
export interface Operation<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly input: I;
  /** The response to a faulty input. */
  readonly refuse?: keyof typeof apiErrors;
  /** Its response is the result alone, without what every other says of success. */
  readonly isBare?: true;
  run(context: ProviderContext, input: z.output<I>): Promise<unknown>;
}

/** Keeps the exact input type of an operation where it is written; a table of operations knows only that there is one. */
export function operation<I extends z.ZodObject>(definition: Operation<I>): Operation {
  return definition as unknown as Operation;
}

/** An object's id in the path: one of the wrong form leads nowhere. */
export const tunnelId = z.uuid();
export const recordId = z.string().regex(/^[0-9a-f]{32}$/);

/** Query parameters of every list. */
export const paging = {
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(1_000).default(20),
};

/**
 * @throws ApiError a 404 when an id of the path has no id's form, else the operation's own 400.
 */
export function parseInput(operation: Operation, params: object, rest: object): Record<string, unknown> {
  const parsed = operation.input.safeParse({ ...rest, ...params });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? '');
  if (field in params) throw new ApiError('invalidIdentifier');
  throw new ApiError(
    operation.refuse ?? 'invalidRequest',
    `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
  );
}
