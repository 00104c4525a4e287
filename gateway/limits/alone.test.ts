import { type Entry, routes } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { Redis } from 'ioredis';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { createAttemptLimit } from './attempts.ts';
import { createLimits, type LimitSettings, type Limits } from './limits.ts';
import { refusals } from './shared.ts';

/** Redis is away from the start. */
const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
afterAll(() => redis.disconnect());
const settings: LimitSettings = {
  ...{
    REQUEST_LIMIT_PER_MINUTE: 2,
    MUTATION_LIMIT_PER_MINUTE: 2,
    SIGN_IN_LIMIT_PER_MINUTE: 2,
    SIGN_IN_NAME_LIMIT_PER_MINUTE: 2,
    REGISTER_LIMIT_PER_MINUTE: 2,
    PASSWORD_RESET_LIMIT_PER_HOUR: 2,
  },
  SUBDOMAIN_CHECK_LIMIT_PER_MINUTE: 2,
  ...{
    TUNNEL_TOKEN_LIMIT_PER_MINUTE: 2,
    TUNNEL_STATUS_LIMIT_PER_MINUTE: 2,
    PROXY_HEALTH_LIMIT_PER_MINUTE: 2,
    MEMBER_INVITATION_LIMIT_PER_HOUR: 2,
    RECREATE_LIMIT_PER_MINUTE: 2,
  },
};
let limits: Limits;
beforeEach(() => {
  refusals.reset();
  limits = createLimits(settings, redis);
});
const refusedBy = async (limit: string) =>
  (await refusals.get()).values.find(({ labels }) => labels.limit === limit)?.value;
const somebody = { caller: 'user 7', owner: 'user 7', address: '192.0.2.1', username: 'mole' };
const call = (entry: Entry, isMutation: boolean, work = async () => 'done') => {
  const guard = limits.guardOf(entry, isMutation);
  return guard ? guard(somebody, work) : work();
};
const within = (seconds: number) => ({
  code: 'too_many_requests',
  params: { seconds: expect.toSatisfy((given: number) => given > 0 && given <= seconds) },
});

it('a request beyond the limit is refused, counted as such, and no other caller’s matter', async () => {
  expect([limits.allows('a'), limits.allows('a'), limits.allows('a'), limits.allows('b')]).toEqual([
    ...[true, true, false],
    true,
  ]);
  for (let i = 0; i < 2; i += 1) limits.request('c');
  expect(() => limits.request('c')).toThrow(expect.objectContaining(within(30)));
  expect(await refusedBy('request')).toBe(1);
});

it('without Redis changes are limited all the same, and reads are not', async () => {
  const change = () => call(routes['POST /api/user/preferences'], true);
  expect([await change(), await change()]).toEqual(['done', 'done']);
  await expect(change()).rejects.toMatchObject(within(60));
  expect(await refusedBy('mutation')).toBe(1);
  for (let i = 0; i < 5; i += 1) await call(routes['GET /api/user'], false);
});

it('without Redis wrong passwords are limited all the same, and the refusal says for how long', async () => {
  const guess = () =>
    call(routes['POST /api/login'], true, async () => {
      throw new AppError('invalid_credentials');
    });
  for (let i = 0; i < 2; i += 1) await expect(guess()).rejects.toMatchObject({ code: 'invalid_credentials' });
  await expect(guess()).rejects.toMatchObject(within(60));
  expect(await refusedBy('sign-in-address')).toBe(1);
});

const same = { caller: 'user 1', owner: 'user 1', address: '192.0.2.1', username: 'mole' };
it.each([
  [
    'sign-in-address',
    'SIGN_IN_LIMIT_PER_MINUTE',
    'POST /api/login',
    { username: 'other' },
    'invalid_credentials',
  ],
  [
    'sign-in-name',
    'SIGN_IN_NAME_LIMIT_PER_MINUTE',
    'POST /api/login',
    { address: '192.0.2.2' },
    'invalid_credentials',
  ],
  [
    'second-factor-address',
    'SIGN_IN_LIMIT_PER_MINUTE',
    'POST /api/login/passkey',
    { username: 'other' },
    'passkey_refused',
  ],
  [
    'provider-sign-in-address',
    'SIGN_IN_LIMIT_PER_MINUTE',
    'POST /api/login/provider',
    { username: 'other' },
    'sign_in_response_invalid',
  ],
  ['own-password', 'SIGN_IN_LIMIT_PER_MINUTE', 'POST /api/user/password', {}, 'wrong_password'],
  ['register', 'REGISTER_LIMIT_PER_MINUTE', 'POST /api/register', { username: 'other' }, null],
  ['reset-request', 'PASSWORD_RESET_LIMIT_PER_HOUR', 'POST /api/password-reset-request', {}, null],
  ['register-name', 'REGISTER_LIMIT_PER_MINUTE', 'POST /api/register', { address: '192.0.2.2' }, null],
  ['subdomain-check', 'SUBDOMAIN_CHECK_LIMIT_PER_MINUTE', 'GET /api/subdomain-availability', {}, null],
  ['tunnel-token', 'TUNNEL_TOKEN_LIMIT_PER_MINUTE', 'GET /api/tunnel-configs/:id/tunnel-token', {}, null],
  ['tunnel-status', 'TUNNEL_STATUS_LIMIT_PER_MINUTE', 'GET /api/tunnel-status/:id', {}, null],
  ['proxy-health', 'PROXY_HEALTH_LIMIT_PER_MINUTE', 'GET /api/tunnel-configs/:id/health', {}, null],
  ['invite-member', 'MEMBER_INVITATION_LIMIT_PER_HOUR', 'POST /api/tunnel-configs/:id/members', {}, null],
  ['recreate', 'RECREATE_LIMIT_PER_MINUTE', 'POST /api/recreate-tunnel/:id', {}, null],
  ['mutation', 'MUTATION_LIMIT_PER_MINUTE', 'POST /api/user/preferences', {}, null],
  ['mutation', 'MUTATION_LIMIT_PER_MINUTE', 'POST /api/login/passkey/challenge', {}, null],
] as const)(
  'the limit %s (%s) alone refuses %s, and says so by its name',
  async (name, setting, route, again, error) => {
    const roomy = Object.fromEntries(
      Object.keys(settings).map((key) => [key, 9]),
    ) as unknown as LimitSettings;
    const own = createLimits({ ...roomy, [setting]: 1 }, redis);
    const entry: Entry = routes[route];
    const ask = (counted: typeof same) =>
      own.guardOf(entry, entry.limit === undefined)?.(counted, async () => {
        if (error) throw new AppError(error);
        return 'done';
      });
    const refused = async () =>
      (await refusals.get()).values
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => [labels.limit, value]);
    // From the beginning, so that the first refusal is seen as an increase.
    expect(await refusedBy(name)).toBe(0);
    if (error) await expect(ask(same)).rejects.toMatchObject({ code: error });
    else expect(await ask(same)).toBe('done');
    await expect(ask({ ...same, ...again })).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(await refused()).toEqual([[name, 1]]);
  },
);

it.each([
  ['POST /api/login/passkey', ['passkey_refused', 'passkey_challenge_ended', 'passkey_other_host']],
  ['POST /api/login/second-factor', ['wrong_code', 'challenge_ended']],
  ['POST /api/login/provider', ['sign_in_response_invalid', 'sign_in_request_ended']],
  ['POST /api/register', ['invitation_invalid']],
  ['POST /api/password-reset', ['reset_link_invalid', 'reset_link_expired', 'reset_link_used']],
  ['POST /api/intrusion-report', ['not_me_link_invalid', 'not_me_link_expired', 'not_me_link_used']],
  ['POST /api/unsubscription', ['unsubscribe_link_invalid']],
  ['POST /api/proxy-invitation-link', ['invitation_link_invalid']],
  ['POST /api/proxy-invitation-link/refusal', ['invitation_link_invalid']],
  [
    'POST /api/email-verification',
    ['verification_link_invalid', 'verification_link_expired', 'verification_link_used', 'wrong_password'],
  ],
] as const)('%s is limited by address, whatever is wrong: %j', async (route, codes) => {
  const entry: Entry = routes[route];
  for (const code of codes) {
    const own = createLimits(
      { ...settings, REGISTER_LIMIT_PER_MINUTE: 9, SIGN_IN_LIMIT_PER_MINUTE: 1 },
      redis,
    );
    const refuse = (username: string) =>
      own.guardOf(entry, true)?.({ ...same, username }, async () => {
        throw new AppError(code);
      });
    await expect(refuse('one')).rejects.toMatchObject({ code });
    await expect(refuse('two')).rejects.toMatchObject({ code: 'too_many_requests' });
  }
});

it('an attempt waits a few seconds for those before it, and not for ever', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const limit = createAttemptLimit(redis, 'patience', 1);
  const first = await limit.begin('a');
  const second = limit.begin('a');
  const third = limit.begin('a');
  await first.end(false);
  const running = await second;
  vi.advanceTimersByTime(6_000);
  await expect(third).rejects.toMatchObject({ code: 'too_many_requests', params: { seconds: 1 } });
  await running.end(false);
  await (await limit.begin('a')).end(false);
  vi.useRealTimers();
});
