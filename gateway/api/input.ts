import { type Issue, issuesOf } from '@talpa/contracts';
import * as fields from '@talpa/contracts/fields';
import { isFields, straysIn } from '@talpa/contracts/unknown-fields';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiRoute } from './table.ts';

/** What a valid request asks for: texts are trimmed, numbers are numbers. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * The checked input of a request: params of the path and the query (GET, DELETE) or the body. The other of the two holds nothing.
 * @throws AppError invalid_input with all faulty fields, those included that the call does not know
 */
export function readInput({ entry, method }: ApiRoute, request: FastifyRequest): Input {
  const body = request.body ?? {};
  const query = request.query ?? {};
  const [given, other] = method === 'POST' || method === 'PUT' ? [body, query] : [query, body];
  if (!isFields(given) || !isFields(other)) throw invalid([{ path: [], key: 'invalid' }]);
  const params = request.params as Input;
  try {
    const { unknown, tooLong } = straysIn(entry, method, given, params);
    if (tooLong.length > 0) throw invalid(tooLong);
    const misplaced = straysIn(nothing, method, other, {}).unknown;
    const { error, data } = entry.input.safeParse({ ...given, ...params }, { reportInput: true });
    const issues = [...unknown, ...misplaced, ...(error ? issuesOf(error) : [])];
    if (!data || issues.length > 0) throw invalid(issues);
    return data;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    // A value made to look like a text (`{"length": {"toString": 1}}`) makes zod's length check throw.
    throw invalid([{ path: [], key: 'invalid' }], cause);
  }
}

const nothing = { input: z.object({}), response: z.null() };

const invalid = (issues: readonly Issue[], cause?: unknown) =>
  new AppError('invalid_input', { issues, ...(cause === undefined ? {} : { cause }) });

/** The name a caller gives a create that may be sent twice. @throws AppError invalid_input */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const result = fields.idempotencyKey.safeParse(given);
  if (result.success) return result.data;
  throw new AppError('invalid_input', { issues: [{ path: ['Idempotency-Key'], key: 'invalid' }] });
}

/** The panel's measurement of the response time: it is no use of the session, and its response is never cached. */
export function isPing(request: FastifyRequest): boolean {
  return (request.query as Input).nocache !== undefined;
}
