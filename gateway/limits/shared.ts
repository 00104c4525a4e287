import { AppError } from '@talpa/service-kit/app-error';
import type { Redis } from '@talpa/service-kit/redis/connect';
import { counter } from '@talpa/service-kit/telemetry/metrics';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** A limit all gateways count together in Redis; each alone while Redis is away. */
export interface SharedLimit {
  /** @throws AppError too_many_requests */
  consume(key: string): Promise<void>;
}

/** What limits have refused, by their names. */
export const refusals = counter('talpa_limit_refusals_total', 'Requests refused by a limit of the gateway', [
  'limit',
]);

/** @param points how many a key may consume in so many seconds. */
export function createSharedLimit(redis: Redis, name: string, points: number, seconds = 60): SharedLimit {
  refusals.labels(name).inc(0);
  const options = { keyPrefix: `limit:${name}`, points, duration: seconds };
  const limiter = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return {
    consume: async (key) => {
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        refusals.labels(name).inc();
        throw tooMany(refusal.msBeforeNext / 1_000);
      }
    },
  };
}

/** The error of a limit that is used up. */
export function tooMany(seconds: number): AppError {
  return new AppError('too_many_requests', { params: { seconds: Math.max(1, Math.ceil(seconds)) } });
}
