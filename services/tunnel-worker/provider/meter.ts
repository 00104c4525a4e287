import { histogram } from '@talpa/service-kit/telemetry/metrics';
import { ProviderError } from './errors.ts';

const duration = histogram(
  'talpa_provider_call_duration_seconds',
  'Calls of the tunnel provider, without the wait for the budget, by outcome',
  ['operation', 'result'],
);

/** Measures a call; the function it returns takes the call's error, or null. */
export function measureCall(operation: string): (failure: unknown) => void {
  const startedAt = performance.now();
  return (failure) =>
    duration.labels(operation, resultOf(failure)).observe((performance.now() - startedAt) / 1_000);
}

function resultOf(failure: unknown): string {
  if (failure === null) return 'ok';
  if (!(failure instanceof ProviderError)) return 'broken_off';
  return failure.isRateLimited ? 'rate_limited' : failure.kind;
}
