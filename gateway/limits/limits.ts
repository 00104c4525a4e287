import { createHash } from 'node:crypto';
import type { Entry } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { Redis } from '@talpa/service-kit/redis/connect';
import type { Settings } from '@talpa/service-kit/settings';
import { createAttemptLimit } from './attempts.ts';
import { createBuckets } from './bucket.ts';
import { countingFailures } from './failures.ts';
import { createKnownAddresses } from './known.ts';
import { createSharedLimit, refusals, type SharedLimit, tooMany } from './shared.ts';

/** Who is counted: a signed-in user, an API key or an address, and the name a sign-in gave. */
interface Counted {
  readonly caller: string;
  /** The user also where an API key calls. */
  readonly owner: string;
  readonly address: string;
  readonly username: string;
}

/** Runs a call within a limit: counts it before, and gives back afterwards what should not count. */
type Guard = <T>(counted: Counted, call: () => Promise<T>) => Promise<T>;

/** How often somebody may do something. */
export interface Limits {
  /** Counts a request, whatever it is. @throws AppError too_many_requests */
  request(caller: string): void;
  /** The same, and whether it may be made; one that may not is not counted. */
  allows(caller: string): boolean;
  /** The guard of a route beside that, if it has one. */
  guardOf(entry: Entry, isMutation: boolean): Guard | null;
}

export type LimitSettings = Settings<
  | 'REQUEST_LIMIT_PER_MINUTE'
  | 'MUTATION_LIMIT_PER_MINUTE'
  | 'SIGN_IN_LIMIT_PER_MINUTE'
  | 'SIGN_IN_NAME_LIMIT_PER_MINUTE'
  | 'REGISTER_LIMIT_PER_MINUTE'
  | 'PASSWORD_RESET_LIMIT_PER_HOUR'
  | 'SUBDOMAIN_CHECK_LIMIT_PER_MINUTE'
  | 'TUNNEL_TOKEN_LIMIT_PER_MINUTE'
  | 'TUNNEL_STATUS_LIMIT_PER_MINUTE'
  | 'PROXY_HEALTH_LIMIT_PER_MINUTE'
  | 'MEMBER_INVITATION_LIMIT_PER_HOUR'
  | 'RECREATE_LIMIT_PER_MINUTE'
>;

/** The limits of the API. */
export function createLimits(settings: LimitSettings, redis: Redis): Limits {
  const requests = createBuckets(settings.REQUEST_LIMIT_PER_MINUTE);
  const shared = (name: string, points: number) => createSharedLimit(redis, name, points);
  const mutations = shared('mutation', settings.MUTATION_LIMIT_PER_MINUTE);
  const registrationAddresses = shared('register', settings.REGISTER_LIMIT_PER_MINUTE);
  const registrationNames = shared('register-name', settings.REGISTER_LIMIT_PER_MINUTE);
  const attempts = (name: string, most: number) => createAttemptLimit(redis, name, most);
  const signInAddresses = attempts('sign-in-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const signInNames = attempts('sign-in-name', settings.SIGN_IN_NAME_LIMIT_PER_MINUTE);
  const factorAddresses = attempts('second-factor-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const providerAddresses = attempts('provider-sign-in-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const ownPasswords = attempts('own-password', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const resetAddresses = attempts('reset-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const unsubscribingAddresses = attempts('unsubscribing-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const verificationAddresses = attempts('verification-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const resetRequests = createSharedLimit(
    redis,
    'reset-request',
    settings.PASSWORD_RESET_LIMIT_PER_HOUR,
    3_600,
  );
  const invitationAddresses = attempts('invitation-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const inviting = createSharedLimit(
    redis,
    'invite-member',
    settings.MEMBER_INVITATION_LIMIT_PER_HOUR,
    3_600,
  );
  const enrolmentAddresses = attempts('enrolment-address', settings.SIGN_IN_LIMIT_PER_MINUTE);
  const known = createKnownAddresses(redis);

  /** So many calls a minute of each caller, whatever comes of them. */
  const perCaller =
    (limit: SharedLimit): Guard =>
    async ({ caller }, call) => {
      await limit.consume(caller);
      return call();
    };

  /** The same of each user, whichever of their keys calls: each such call costs calls of the tunnel provider. */
  const perOwner =
    (limit: SharedLimit): Guard =>
    async ({ owner }, call) => {
      await limit.consume(owner);
      return call();
    };

  const recreations = perOwner(shared('recreate', settings.RECREATE_LIMIT_PER_MINUTE));
  const guards: Record<NonNullable<Entry['limit']>, Guard> = {
    // Guessing at a name must not lock out its owner: see docs/decisions/0005.
    signIn: async ({ address, username }, call) => {
      const name = nameKey(username);
      const strangers = (await known.has(name, address)) ? [] : [[signInNames, name] as const];
      try {
        const response = await countingFailures([[signInAddresses, address], ...strangers], call);
        await known.add(name, address);
        return response;
      } catch (error) {
        // The password was right.
        if (error instanceof AppError && error.code === 'second_factor_required')
          await known.add(name, address);
        throw error;
      }
    },
    // Beside auth's own count of a user's wrong codes: no address may make it look at too many.
    secondFactor: ({ address }, call) => countingFailures([[factorAddresses, address]], call),
    providerSignIn: ({ address }, call) => countingFailures([[providerAddresses, address]], call),
    register: async ({ address, username }, call) => {
      await registrationAddresses.consume(address);
      const name = nameKey(username);
      await registrationNames.consume(name);
      const response = await countingFailures([[invitationAddresses, address]], call);
      await known.add(name, address);
      return response;
    },
    passwordReset: ({ address }, call) => countingFailures([[resetAddresses, address]], call),
    // Limited by address: the session, if there is one, says nothing about the account that is asked for.
    passwordResetRequest: async ({ address }, call) => {
      await resetRequests.consume(address);
      return call();
    },
    intrusionReport: ({ address }, call) => countingFailures([[resetAddresses, address]], call),
    unsubscription: ({ address }, call) => countingFailures([[unsubscribingAddresses, address]], call),
    emailVerification: ({ address }, call) => countingFailures([[verificationAddresses, address]], call),
    ownPassword: async ({ caller }, call) => {
      await mutations.consume(caller);
      return countingFailures([[ownPasswords, caller]], call);
    },
    inviteMember: perCaller(inviting),
    // A token cannot be guessed; trying to is refused all the same.
    invitationLink: ({ address }, call) => countingFailures([[invitationAddresses, address]], call),
    // Neither can a key be guessed; what it makes is limited by its uses and by the plan.
    enrolment: async ({ address }, call) => {
      await mutations.consume(address);
      return countingFailures([[enrolmentAddresses, address]], call);
    },
    subdomainCheck: perCaller(shared('subdomain-check', settings.SUBDOMAIN_CHECK_LIMIT_PER_MINUTE)),
    tunnelToken: perOwner(shared('tunnel-token', settings.TUNNEL_TOKEN_LIMIT_PER_MINUTE)),
    tunnelStatus: perOwner(shared('tunnel-status', settings.TUNNEL_STATUS_LIMIT_PER_MINUTE)),
    proxyHealth: perOwner(shared('proxy-health', settings.PROXY_HEALTH_LIMIT_PER_MINUTE)),
    recreateTunnel: async (counted, call) => {
      await mutations.consume(counted.caller);
      return recreations(counted, call);
    },
  };
  const mutation = perCaller(mutations);
  return {
    request: (caller) => {
      const seconds = requests.take(caller);
      if (seconds <= 0) return;
      refusals.labels('request').inc();
      throw tooMany(seconds);
    },
    allows: (caller) => requests.take(caller) <= 0,
    guardOf: (entry, isMutation) => {
      if (entry.limit) return guards[entry.limit];
      return isMutation ? mutation : null;
    },
  };
}

/** Hashed: people type passwords into the name's field, and those must not be stored in Redis. */
function nameKey(username: string): string {
  return createHash('sha256').update(username.toLowerCase()).digest('base64url');
}
