import { errors, isErrorCode } from '@talpa/contracts';
import { perMember } from '../shared-process.ts';
import { counter, histogram } from './metrics.ts';

const duration = histogram(
  'talpa_call_duration_seconds',
  'Calls over the bus, as the caller met them and as the service did',
  ['side', 'call', 'result'],
);
const failures = counter('talpa_call_errors_total', 'Calls over the bus that ended with an error', [
  'side',
  'call',
  'code',
]);

type Result = 'ok' | 'refused' | 'failed';
type Meters = Record<Result, { observe(seconds: number): void }>;

/**
 * Measures calls of one side. Returns a function; call it with the error code, or nothing, when the call ends.
 * `refused` counts errors of the caller, `failed` all others.
 */
export function callMeter(side: 'caller' | 'service') {
  const meters = perMember(() => new Map<string, Meters>());
  const metersOf = (call: string): Meters => {
    const known = meters().get(call);
    if (known) return known;
    const of = (result: Result) => duration.labels(side, call, result);
    const made = { ok: of('ok'), refused: of('refused'), failed: of('failed') };
    meters().set(call, made);
    return made;
  };
  return (call: string) => {
    const startedAt = performance.now();
    return (code?: string) => {
      metersOf(call)[resultOf(code)].observe((performance.now() - startedAt) / 1_000);
      if (code) failures.labels(side, call, code).inc();
    };
  };
}

function resultOf(code: string | undefined): Result {
  if (!code) return 'ok';
  return isErrorCode(code) && errors[code].status < 500 ? 'refused' : 'failed';
}
