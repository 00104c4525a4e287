import { randomUUID } from 'node:crypto';
import type { Actor, RequestOf, RouteName, Routes } from '@talpa/contracts';
import { signInAt, startOpenIdProvider } from '@talpa/test-kit/openid-provider';
import { startLyingProvider } from '@talpa/test-kit/own-providers';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { usersOf } from '@talpa/test-kit/users';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

const provider = await startLyingProvider();
const gone = await startLyingProvider();
gone.stop();
const stranger = await startLyingProvider();
const real = await startOpenIdProvider();
afterAll(() => [real, provider, stranger].map(({ stop }) => stop()));
afterEach(() => provider.behave('none'));
const talpa = useServices(useStores(), ['auth'], {
  PUBLIC_URL: 'https://panel.example.org',
  SIGN_IN_PROVIDERS: JSON.stringify([
    provider.settings,
    { ...real.settings, createAccounts: true },
    { ...gone.settings, id: 'gone', label: 'Weg' },
    { ...stranger.settings, id: 'secret', label: 'Falsch', clientSecret: 'falsch' },
  ]),
});
const { newUser } = usersOf(talpa, 'hostile');
type Deviation = Parameters<typeof provider.signIn>[2];

const client = { address: '192.0.2.1', userAgent: 'test', device: 'browser' };
const call = <N extends RouteName>(route: N, actor: Actor | null, input: RequestOf<Routes[N]>) =>
  talpa.call(route, actor, input, undefined, client);
const start = async (id = 'lying') =>
  (await call('POST /api/login/provider/request', null, { provider: id })).url;
const signIn = async (account: string, deviation?: Deviation) =>
  call('POST /api/login/provider', null, await provider.signIn(await start(), account, deviation));

/** An account at the provider that somebody has linked. */
async function linked() {
  const [user, account] = [await newUser(), randomUUID()];
  const { url } = await call('POST /api/user/identities/request', user.actor, { provider: 'lying' });
  await call('POST /api/user/identities', user.actor, await provider.signIn(url, account));
  return { user, account };
}
const invalid = { code: 'sign_in_response_invalid', params: { provider: 'Lügner' } };
const unavailable = { code: 'sign_in_provider_unavailable', params: { provider: 'Lügner' } };

describe('an ID token', () => {
  it.each<[string, NonNullable<Deviation>]>([
    ['of another issuer', { iss: 'https://accounts.example.net' }],
    ['for another client', { aud: 'somebody-else' }],
    ['with the nonce of another request', { nonce: 'n'.repeat(43) }],
    ['that ended more than a minute ago', { endsIn: -90 }],
    ['signed with a key that the provider does not publish', { foreignKey: true }],
  ])('%s signs nobody in', async (_what, deviation) => {
    const { account } = await linked();
    await expect(signIn(account, deviation)).rejects.toMatchObject(invalid);
  });

  it('counts although the clocks differ by nearly a minute', async () => {
    const { user, account } = await linked();
    expect(await signIn(account, { endsIn: -50 })).toMatchObject({ id: user.id });
  });

  it('counts at once when the provider has changed its keys; its addresses are not asked for again', async () => {
    const { user, account } = await linked();
    const before = provider.discoveries();
    provider.rotateKeys();
    expect(await signIn(account)).toMatchObject({ id: user.id });
    expect(provider.discoveries()).toBe(before);
  });
});

describe('who a provider says somebody is', () => {
  const signInAs = async (account: string) =>
    call('POST /api/login/provider', null, await signInAt(await start('openid'), account));

  it.each([
    ['a NUL', '\u0000'],
    ['a line break', '\n'],
    ['a control character beyond ASCII', '\u0085'],
  ])('is refused when it holds %s, and nothing is linked', async (_what, control) => {
    const [user, account] = [await newUser(), `${randomUUID()}${control}`];
    const refused = { code: 'sign_in_response_invalid', params: { provider: real.settings.label } };
    await expect(signInAs(account)).rejects.toMatchObject(refused);
    const { url } = await call('POST /api/user/identities/request', user.actor, { provider: 'openid' });
    const answer = await signInAt(url, account);
    await expect(call('POST /api/user/identities', user.actor, answer)).rejects.toMatchObject(refused);
    expect(await call('GET /api/user/identities', user.actor, {})).toEqual([]);
  });

  it('is refused when it holds half a character: two of them would be stored as the same', async () => {
    const user = await newUser();
    const { url } = await call('POST /api/user/identities/request', user.actor, { provider: 'lying' });
    const answer = await provider.signIn(url, `${randomUUID()}\ud800`);
    await expect(call('POST /api/user/identities', user.actor, answer)).rejects.toMatchObject(invalid);
    expect(await call('GET /api/user/identities', user.actor, {})).toEqual([]);
  });

  it('counts although their name and address hold control characters: those are left out, the address is none', async () => {
    const [user, account] = [await newUser(), randomUUID()];
    real.claims(account, {
      preferred_username: 'Wum\u0000pus\n',
      email: 'a\u0000b@example.org',
      email_verified: true,
    });
    await expect(signInAs(account)).rejects.toMatchObject({
      ...{ code: 'account_missing', params: { username: 'Wumpus', email: '' } },
    });
    const { url } = await call('POST /api/user/identities/request', user.actor, { provider: 'openid' });
    const answer = await signInAt(url, account);
    expect(await call('POST /api/user/identities', user.actor, answer)).toMatchObject({ name: 'Wumpus' });
    expect(await signInAs(account)).toMatchObject({ id: user.id });
  });
});

describe('a provider', () => {
  it.each(['hangs', 'errors', 'floods', 'redirects'] as const)(
    'that %s when a code is redeemed ends the sign-in with an error, within the time of the call',
    async (trouble) => {
      const { user, account } = await linked();
      const answer = await provider.signIn(await start(), account);
      provider.behave(trouble);
      await expect(call('POST /api/login/provider', null, answer)).rejects.toMatchObject(unavailable);
      provider.behave('none');
      // Nothing of the failure is cached.
      expect(await signIn(account)).toMatchObject({ id: user.id });
    },
  );

  it('that is down is named to those who choose it, and the others keep working', async () => {
    await expect(start('gone')).rejects.toMatchObject({ ...unavailable, params: { provider: 'Weg' } });
    expect(await start()).toContain(provider.settings.issuer);
  });

  it('that does not know our secret is the operator’s matter, not an invalid response', async () => {
    const answer = await stranger.signIn(await start('secret'), randomUUID());
    await expect(call('POST /api/login/provider', null, answer)).rejects.toMatchObject({
      code: 'sign_in_provider_unavailable',
    });
  });
});
