import type { ProviderFault, StatusReason } from '@talpa/contracts';
import { ApiError } from '@talpa/service-kit/cloudflare-api';
import { faultOf } from './faults.ts';
import { type OperationName, operations } from './operations.ts';

/** Codes of Cloudflare's API that decide what is done next. */
export const providerCodes = {
  tunnelNameTaken: 1013,
  tunnelConnected: 1022,
  noRoute: 7000,
  /** The zone holds as many records as its plan allows. */
  zoneFull: 81_045,
  /** A record of that name is there already, in its several wordings. */
  recordExists: [81_053, 81_054, 81_056, 81_057, 81_058],
} as const;

/**
 * Why a call failed: `refused` for good and with a reason, the object is `missing`, or it is `passing` and
 * the same call may succeed later.
 */
export class ProviderError extends Error {
  readonly kind: 'refused' | 'missing' | 'passing';
  readonly codes: readonly number[];
  readonly reason: StatusReason;
  /** How long the provider asks us to wait, in ms. */
  readonly retryAfterMs: number | undefined;
  /** It takes no calls at all for now: this one did nothing, and says nothing about its object. */
  readonly isRateLimited: boolean;
  /** What an operator has to fix before the call can succeed. */
  readonly fault: ProviderFault | undefined;
  /** The same call would change something and fail in the same way: it is not tried on soon. */
  readonly withoutRetry: boolean;

  constructor(
    kind: ProviderError['kind'],
    message: string,
    details: {
      codes?: readonly number[];
      reason?: StatusReason;
      retryAfterMs?: number | undefined;
      isRateLimited?: boolean;
      fault?: ProviderFault | undefined;
      withoutRetry?: boolean;
    } = {},
  ) {
    super(message);
    this.name = 'ProviderError';
    this.kind = kind;
    this.codes = details.codes ?? [];
    this.reason = details.reason ?? (kind === 'passing' ? 'provider_unavailable' : 'tunnel_refused');
    this.retryAfterMs = details.retryAfterMs;
    this.isRateLimited = details.isRateLimited ?? false;
    this.fault = details.fault;
    this.withoutRetry = details.withoutRetry ?? false;
  }
}

/** Whether a failure is of this kind. */
export function isProviderError(error: unknown, kind: ProviderError['kind']): error is ProviderError {
  return error instanceof ProviderError && error.kind === kind;
}

/** Whether the provider returned one of these codes. */
export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof ProviderError && error.codes.some((code) => codes.includes(code));
}

/**
 * What a failed call means for us. Its error is not kept: it holds headers that have no place in a log.
 */
export function providerError(error: unknown, operation: OperationName): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = errorsOf(error);
  const codes = errors.flatMap(({ code }) => (typeof code === 'number' ? [code] : []));
  const words = errors.map(({ code, message }) => `${code} ${message}`).join(', ');
  const message = `${operation}: ${error.status ?? 'no response'} ${words}`.trim();
  if (codes.includes(providerCodes.zoneFull))
    return new ProviderError('refused', message, { codes, fault: 'zone_full', reason: 'zone_full' });
  const fault = faultOf(operation, error.status, codes);
  return new ProviderError(fault ? 'passing' : kindOf(error, codes, operation), message, {
    codes,
    fault,
    retryAfterMs: retryAfterOf(error),
    isRateLimited: error.status === tooMany,
  });
}

const tooMany = 429;

function kindOf(error: ApiError, codes: readonly number[], operation: OperationName): ProviderError['kind'] {
  const { status } = error;
  if (status === undefined || status >= 500 || [408, 425, tooMany].includes(status)) return 'passing';
  if (codes.includes(providerCodes.tunnelConnected)) return 'passing';
  // A 404 that is not the API's own says that we talk to something else.
  if (status === 404) {
    const isOwn = codes.length > 0 && !codes.includes(providerCodes.noRoute);
    return isOwn && operations[operation].names ? 'missing' : 'passing';
  }
  return 'refused';
}

/** What went wrong, in a list, alone, or missing. */
function errorsOf({ errors }: ApiError): readonly { readonly code?: unknown; readonly message?: unknown }[] {
  const listed: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  return listed.filter((one) => typeof one === 'object' && one !== null);
}

/** Seconds or a date, as ms from now; of a refusal for too many also the seconds until its window is over. */
function retryAfterOf(error: ApiError): number | undefined {
  const value =
    error.headers.get('retry-after') ??
    (error.status === tooMany ? /;\s*t=(\d+)/.exec(error.headers.get('ratelimit') ?? '')?.[1] : null);
  if (!value) return undefined;
  const ms = Number.isFinite(Number(value)) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
