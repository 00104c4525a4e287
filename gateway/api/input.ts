import { type Entry, issuesOf } from '@talpa/contracts';
import * as fields from '@talpa/contracts/fields';
import { AppError } from '@talpa/service-kit/app-error';
import type { FastifyRequest } from 'fastify';
import type { ApiRoute } from './table.ts';

/** What a valid request asks for: unknown fields are gone, texts are trimmed, numbers are numbers. */
export type Input = Readonly<Record<string, unknown>>;

/**
 * The checked input of a request: params of the path and the query (GET, DELETE) or the body.
 * @throws AppError invalid_input with all faulty fields
 */
export function readInput({ entry, method }: ApiRoute, request: FastifyRequest): Input {
  const hasBody = method === 'POST' || method === 'PUT';
  const given = hasBody ? (request.body ?? {}) : request.query;
  if (!isRecord(given)) throw new AppError('invalid_input', { issues: [{ path: [], key: 'invalid' }] });
  const result = check(entry, { ...given, ...(request.params as object) });
  if (!result.success) throw new AppError('invalid_input', { issues: issuesOf(result.error) });
  return result.data;
}

/** A value made to look like a text (`{"length": {"toString": 1}}`) makes zod's length check throw. */
function check(entry: Entry, given: Input) {
  try {
    return entry.input.safeParse(given, { reportInput: true });
  } catch (cause) {
    throw new AppError('invalid_input', { issues: [{ path: [], key: 'invalid' }], cause });
  }
}

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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
