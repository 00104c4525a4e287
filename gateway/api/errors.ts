import {
  type ErrorBody,
  type ErrorCode,
  errorText,
  issueText,
  type Language,
  preferredLanguage,
  type Scope,
} from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Log } from '@talpa/service-kit/log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonType } from '../security/headers.ts';
import { countError } from '../telemetry/http.ts';

/** What Fastify refuses by itself, in our codes; its other client errors are broken JSON. */
const fastifyErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
};
const retryAfterSeconds = 2;

/** The language of the response to a request. */
export function languageOf(request: FastifyRequest): Language {
  return preferredLanguage(request.headers['accept-language']);
}

/** Any failure as one of the contract's errors; what nobody expected is `internal`, with its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const known = fastifyErrors[code ?? ''];
  if (known) return new AppError(known, { cause: error });
  const isClients = statusCode !== undefined && statusCode >= 400 && statusCode < 500;
  return new AppError(isClients ? 'invalid_json' : 'internal', { cause: error });
}

/** The body of an error, in a language. */
export function errorBodyOf(error: AppError, language: Language, requestId: string): ErrorBody {
  return {
    code: error.code,
    message: errorText(error.code, language, error.params),
    ...continuationOf(error),
    ...(error.code === 'scope_missing' ? { scope: String(error.params?.scope) as Scope } : {}),
    ...(error.code === 'already_joined' ? { proxyId: Number(error.params?.proxyId) } : {}),
    ...(error.issues
      ? {
          issues: error.issues.map(({ path, key, params }) => ({
            path,
            message: issueText(key, language, params),
          })),
        }
      : {}),
    requestId,
  };
}

const continued: ReadonlySet<ErrorCode> = new Set([
  'second_factor_required',
  'account_missing',
  'registration_proof_required',
]);

/** What a sign-in or a registration that is not finished goes on with. */
function continuationOf({ code, params }: AppError): Pick<ErrorBody, 'challenge' | 'suggestion'> {
  if (!continued.has(code)) return {};
  const text = (name: string) => String(params?.[name] ?? '');
  const challenge = text('challenge');
  if (code !== 'account_missing') return { challenge };
  return { challenge, suggestion: { username: text('username'), email: text('email') } };
}

/** Answers any failure in the contract's envelope, and logs it when it is not the caller's. */
export function createErrorHandler(log: Log) {
  return (failure: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error = toAppError(failure);
    countError(request, error.code);
    if (error.status >= 500) {
      const err = error.cause ?? error;
      const report = { err, code: error.code, requestId: request.id, route: request.routeOptions.url };
      // What is away for a while says so itself; a bug needs its stack.
      if (error.code === 'internal') log.error(report, 'request failed: internal error');
      else log.warn(report, 'request could not be served: see code and err');
    }
    if (error.status === 429 || error.status === 503)
      reply.header('retry-after', String(error.params?.seconds ?? retryAfterSeconds));
    return reply
      .code(error.status)
      .headers({ 'content-type': jsonType, 'cache-control': 'no-store' })
      .send(JSON.stringify(errorBodyOf(error, languageOf(request), request.id)));
  };
}
