import { type DiscordAccount, startDiscord, startLyingProvider } from '@talpa/test-kit/own-providers';
import { ClientSecretBasic } from 'openid-client';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { configure, isInsecure, redeemCode } from './client.ts';
import { discordClient } from './discord.ts';
import { openIdClient } from './openid.ts';

const redirectUri = 'https://panel.example.org/sign-in/lying';
const checks = { state: 'sign_in.s', nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };
const options = { createAccounts: false, trustedForSecondFactor: false };

type Lying = Awaited<ReturnType<typeof startLyingProvider>>;
const provider = await startLyingProvider();
afterAll(provider.stop);
const clientFor = ({ settings }: Lying) =>
  openIdClient({ ...settings, ...options, kind: 'openid' }, redirectUri);
/** Signs in there. */
async function redeem(at: Lying, claims: Readonly<Record<string, unknown>> = {}) {
  const client = clientFor(at);
  return client.redeem(await at.signIn(await client.addressFor(checks), 'erika', { claims }), checks);
}

describe('a provider’s addresses', () => {
  it('are asked for again after ten minutes', async () => {
    const [client, begunAt, before] = [clientFor(provider), Date.now(), provider.discoveries()];
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: begunAt });
    const after = async (ms: number) => {
      vi.setSystemTime(begunAt + ms);
      await client.addressFor(checks);
      return provider.discoveries() - before;
    };
    expect([await after(0), await after(600_000), await after(600_001)]).toEqual([1, 1, 2]);
  });

  it('may lack TLS only where the operator has named one without', async () => {
    expect(['http://accounts.example', 'https://accounts.example'].map(isInsecure)).toEqual([true, false]);
    const issuer = 'https://accounts.example';
    const settings = { ...options, kind: 'openid' as const, id: 'a', label: 'A', issuer };
    const configuration = configure(
      { issuer, token_endpoint: 'http://accounts.example/token' },
      { ...settings, clientId: 'talpa', clientSecret: 'x' },
      ClientSecretBasic,
    );
    const response = { state: checks.state, code: 'c' };
    await expect(redeemCode(configuration, redirectUri, response, checks, true)).rejects.toMatchObject({
      code: 'OAUTH_HTTP_REQUEST_FORBIDDEN',
    });
  });
});

describe('the secret of the client', () => {
  it.each([
    ['which says nothing of it', undefined, 'basic'],
    ['which takes both', ['client_secret_post', 'client_secret_basic'], 'basic'],
    ['which takes it in the body alone', ['private_key_jwt', 'client_secret_post'], 'post'],
  ])('is shown to a provider %s as it wants', async (_what, methods, shown) => {
    const other = await startLyingProvider(methods);
    onTestFinished(other.stop);
    expect((await redeem(other)).subject).toBe('erika');
    expect(other.shown).toEqual([shown]);
  });
});

describe('what a provider calls somebody', () => {
  it.each([
    [{}, { name: 'erika', email: '' }],
    [
      { preferred_username: '', name: 'Erika M.' },
      { name: 'Erika M.', email: '' },
    ],
    [
      { preferred_username: 7, name: null, email: 'e@example.org', email_verified: true },
      { name: 'e@example.org', email: 'e@example.org' },
    ],
    [
      { email: 'e@example.org', email_verified: true },
      { name: 'erika', email: 'e@example.org' },
    ],
    [
      { preferred_username: '', email: 'e@example.org', email_verified: false },
      { name: '', email: '' },
    ],
    [
      { preferred_username: '', email: 'e@example.org', email_verified: 'true' },
      { name: '', email: '' },
    ],
    [
      { preferred_username: '', email: 'e@example.org' },
      { name: '', email: '' },
    ],
    [
      { email: ['e@example.org'], email_verified: true },
      { name: 'erika', email: '' },
    ],
  ])('with the claims %j is %j: never an address that it has not verified', async (claims, profile) => {
    expect(await (await redeem(provider, claims)).profile()).toEqual(profile);
  });
});

describe('an authorization request', () => {
  it.each([
    [true, 'openid profile email'],
    [false, 'openid profile'],
  ])(
    'asks for an address only where accounts are created (%s), and for a code with PKCE',
    async (createAccounts, scope) => {
      const client = openIdClient(
        { ...provider.settings, ...options, createAccounts, kind: 'openid' },
        redirectUri,
      );
      expect(Object.fromEntries(new URL(await client.addressFor(checks)).searchParams)).toEqual({
        ...{ client_id: 'talpa', redirect_uri: redirectUri, response_type: 'code', scope },
        ...{ state: checks.state, nonce: checks.nonce },
        ...{ code_challenge: expect.stringMatching(/^[\w-]{43}$/), code_challenge_method: 'S256' },
      });
    },
  );

  it('fails while the provider does not answer, and works as soon as it does', async () => {
    const client = clientFor(provider);
    provider.behave('errors');
    await expect(client.addressFor(checks)).rejects.toThrow();
    provider.behave('none');
    expect(await client.addressFor(checks)).toContain(provider.settings.issuer);
  });
});

describe('a response', () => {
  const answerTo = async (deviation: Parameters<Lying['signIn']>[2]) => {
    const client = clientFor(provider);
    const answer = await provider.signIn(await client.addressFor(checks), 'erika', deviation);
    // What the browser did not bring is not sent on.
    return client.redeem({ ...answer, iss: undefined, error: undefined }, checks);
  };

  it('counts although the clocks differ by nearly a minute, and no longer', async () => {
    expect((await answerTo({ endsIn: -50 })).subject).toBe('erika');
    await expect(answerTo({ endsIn: -70 })).rejects.toThrow();
  });

  it('counts with the provider’s own signature alone', async () => {
    await expect(answerTo({ foreignKey: true })).rejects.toThrow();
  });
});

describe('what the provider is asked for', () => {
  const nameless = { preferred_username: '' };
  const userInfo = { preferred_username: 'erika.m', email: 'e@example.org', email_verified: true };
  const profileAt = async (at: Lying, claims: Readonly<Record<string, unknown>>) => {
    const client = clientFor(at);
    const answer = await at.signIn(await client.addressFor(checks), 'erika', { claims, userInfo });
    return (await client.redeem(answer, checks)).profile();
  };

  it('is what an ID token lacks, where it can be asked', async () => {
    expect(await profileAt(provider, nameless)).toEqual({ name: 'erika.m', email: 'e@example.org' });
    expect(await profileAt(provider, {})).toEqual({ name: 'erika', email: '' });
    const other = await startLyingProvider(undefined, false);
    onTestFinished(other.stop);
    expect(await profileAt(other, nameless)).toEqual({ name: '', email: '' });
  });
});

describe('Discord', () => {
  it.each([
    [true, 'identify email'],
    [false, 'identify'],
  ])(
    'Discord is asked for an address only where accounts are created (%s)',
    async (createAccounts, scope) => {
      const settings = {
        ...options,
        createAccounts,
        kind: 'discord' as const,
        id: 'discord',
        label: 'Discord',
      };
      const client = discordClient(
        { ...settings, issuer: 'https://discord.com', clientId: 'talpa', clientSecret: 'x' },
        redirectUri,
      );
      const { origin, pathname, searchParams } = new URL(await client.addressFor(checks));
      expect([`${origin}${pathname}`, searchParams.get('scope')]).toEqual([
        'https://discord.com/oauth2/authorize',
        scope,
      ]);
    },
  );

  it.each<[Omit<DiscordAccount, 'id' | 'username'>, string]>([
    [{ email: 'w@example.org', verified: true }, 'w@example.org'],
    [{ email: 'w@example.org', verified: false }, ''],
    [{ email: 'w@example.org' }, ''],
    [{ verified: true }, ''],
  ])('says who has signed in, and with %j the address “%s”', async (said, email) => {
    const discord = await startDiscord();
    onTestFinished(discord.stop);
    const client = discordClient({ ...discord.settings, ...options, kind: 'discord' }, redirectUri);
    const redeemed = async () => {
      const account = { id: '80351110224678912', username: 'wumpus', ...said };
      return client.redeem(await discord.signIn(await client.addressFor(checks), account), checks);
    };
    const identity = await redeemed();
    expect([identity.subject, await identity.profile()]).toEqual([
      '80351110224678912',
      { name: 'wumpus', email },
    ]);
    discord.answerWith(503);
    await expect(redeemed()).rejects.toThrow('503');
  });
});
