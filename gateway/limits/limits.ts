import { createHash } from 'node:crypto';
import type { Entry } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Settings } from '@talpa/service-kit/settings';
import type { Redis } from '@talpa/service-kit/stamps';
import { createBuckets } from './bucket.ts';
import { createSharedLimit, type SharedLimit, tooMany } from './shared.ts';

/** Who is counted: a signed-in user or an address, and the name a sign-in gave. */
export interface Counted {
  readonly caller: string;
  readonly address: string;
  readonly username: string;
}

/** Runs a call within a limit: counts it before, and gives back afterwards what should not count. */
export type Guard = <T>(counted: Counted, call: () => Promise<T>) => Promise<T>;

/** How often somebody may do something. */
export interface Limits {
  /** Counts a request, whatever it is. @throws AppError too_many_requests */
  request(caller: string): void;
  /** The guard of a route beside that, if it has one. */
  guardOf(entry: Entry, isMutation: boolean): Guard | null;
}

export type LimitSettings = Settings<'REQUEST_LIMIT' | 'MUTATION_LIMIT' | 'SIGN_IN_LIMIT' | 'REGISTER_LIMIT'>;

/** The limits of the API. */
export function createLimits(settings: LimitSettings, redis: Redis): Limits {
  const requests = createBuckets(settings.REQUEST_LIMIT);
  const shared = (name: string, points: number) => createSharedLimit(redis, name, points);
  const mutations = shared('mutation', settings.MUTATION_LIMIT);
  const registrations = shared('register', settings.REGISTER_LIMIT);
  const signInNames = shared('sign-in-name', settings.SIGN_IN_LIMIT);
  const signInAddresses = shared('sign-in-address', settings.SIGN_IN_LIMIT);

  const guards: Record<NonNullable<Entry['limit']>, Guard> = {
    signIn: (counted, call) =>
      countingFailures(
        [
          [signInNames, nameKey(counted.username)],
          [signInAddresses, counted.address],
        ],
        call,
      ),
    register: async (counted, call) => {
      await registrations.consume(counted.address);
      return call();
    },
  };
  const mutation: Guard = async (counted, call) => {
    await mutations.consume(counted.caller);
    return call();
  };
  return {
    request: (caller) => {
      const seconds = requests.take(caller);
      if (seconds > 0) throw tooMany(seconds);
    },
    guardOf: (entry, isMutation) => {
      if (entry.limit) return guards[entry.limit];
      return isMutation ? mutation : null;
    },
  };
}

/** Counted before, so that guesses made at once count too; all but wrong passwords are given back. */
async function countingFailures<T>(
  counts: readonly (readonly [SharedLimit, string])[],
  call: () => Promise<T>,
): Promise<T> {
  await Promise.all(counts.map(([limit, key]) => limit.consume(key)));
  const giveBack = () => Promise.all(counts.map(([limit, key]) => limit.giveBack(key)));
  try {
    const answer = await call();
    await giveBack();
    return answer;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid_credentials')) await giveBack();
    throw error;
  }
}

/** Hashed: people type passwords into the name's field, and those must not lie in Redis. */
function nameKey(username: string): string {
  return createHash('sha256').update(username.toLowerCase()).digest('base64url');
}
