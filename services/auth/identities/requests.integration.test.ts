import { randomUUID } from 'node:crypto';
import type { Actor, ClientInfo, RequestOf, RouteName, Routes } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { type DiscordAccount, startDiscord } from '@talpa/test-kit/own-providers';
import { addPasskey } from '@talpa/test-kit/passkeys';
import { actorOf, useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { password, usersOf } from '@talpa/test-kit/users';
import { afterAll, describe, expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';
import { shownName } from './sql.ts';

const discord = await startDiscord();
afterAll(discord.stop);
const publicUrl = 'https://panel.example.org';
const talpa = useServices(useStores(), ['auth'], {
  PUBLIC_URL: publicUrl,
  SIGN_IN_PROVIDERS: JSON.stringify([{ ...discord.settings, createAccounts: true }]),
});
const { newUser, audited } = usersOf(talpa, 'request');
type Signed = { readonly id: number; readonly actor: Actor };

const mine: ClientInfo = { address: '192.0.2.1', userAgent: 'test', device: 'browser' };
const call = <N extends RouteName>(
  route: N,
  actor: Actor | null,
  input: RequestOf<Routes[N]>,
  client = mine,
) => talpa.call(route, actor, input, undefined, client);
const as =
  ({ actor }: Signed) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    call(route, actor, input);
const provider = 'discord';
const startToLink = ({ actor }: Pick<Signed, 'actor'>) =>
  call('POST /api/user/identities/request', actor, { provider });
const newAccount = (): DiscordAccount => ({ id: randomUUID(), username: 'wumpus' });
const finishToLink = async (user: Signed, url: string) =>
  as(user)('POST /api/user/identities', await discord.signIn(url, newAccount()));
const startToSignIn = async () => (await call('POST /api/login/provider/request', null, { provider })).url;
const signIn = async (account: DiscordAccount) =>
  talpa.effects('POST /api/login/provider', null, await discord.signIn(await startToSignIn(), account), mine);
/** The secret with which an account is created for somebody who has none. */
const challengeOf = (account: DiscordAccount): Promise<string> =>
  signIn(account).then(
    () => Promise.reject(new Error('there is an account')),
    (error: unknown) => String((error as AppError).params?.challenge),
  );
const register = (challenge: string) =>
  talpa.effects(
    'POST /api/register/provider',
    null,
    { challenge, username: `r${randomUUID().slice(0, 12)}` },
    mine,
  );
/** Somebody who has no password. */
async function newcomer(): Promise<Signed> {
  const { session } = await register(await challengeOf(newAccount()));
  const actor = await talpa.whoHas(session);
  if (!actor) throw new Error('no session came with the account');
  return { id: actor.userId, actor };
}
const ended = { code: 'sign_in_request_ended' };
const count = async (query: Promise<readonly unknown[]>) => (await query).length;

describe('a request to a provider', () => {
  it('is one of ten open ones of a user at most, the newest, until it expires and is deleted', async () => {
    const user = await newUser();
    const urls: string[] = [];
    for (let at = 0; at < 12; at += 1) urls.push((await startToLink(user)).url);
    const [oldest = '', , third = ''] = urls;
    await expect(finishToLink(user, oldest)).rejects.toMatchObject(ended);
    await finishToLink(user, third);
    const open = () => count(talpa.sql`select 1 from auth.provider_requests where user_id = ${user.id}`);
    expect(await open()).toBe(9);
    const account = newAccount();
    const challenge = await challengeOf(account);
    const held = () => count(talpa.sql`select 1 from auth.new_identities where subject = ${account.id}`);
    const clean = () =>
      talpa.sql.begin(async (sql) => {
        await sql`set local search_path = auth`;
        await deleteEnded(sql);
      });
    await clean();
    expect([await open(), await held()]).toEqual([9, 1]);
    for (const table of ['provider_requests', 'new_identities'])
      await talpa.sql`update ${talpa.sql(`auth.${table}`)} set expires_at = now() - interval '1 second'`;
    await expect(register(challenge)).rejects.toMatchObject(ended);
    await clean();
    expect([await open(), await held()]).toEqual([0, 0]);
  });

  it('is begun and finished by a known browser alone', async () => {
    const { device: _unknown, ...client } = mine;
    const input = { provider };
    await expect(call('POST /api/login/provider/request', null, input, client)).rejects.toMatchObject(ended);
    const answer = await discord.signIn(await startToSignIn(), newAccount());
    await expect(call('POST /api/login/provider', null, answer, client)).rejects.toMatchObject(ended);
  });

  it('is refused as not signed in when the session has ended meanwhile', async () => {
    const { id } = await newUser();
    await expect(startToLink({ actor: actorOf(id) })).rejects.toMatchObject({ code: 'not_signed_in' });
  });

  it.each(['server_error', 'temporarily_unavailable', 'invalid_client', 'unauthorized_client'])(
    'that the provider answers with “%s” is its trouble, not a refusal by the user',
    async (error) => {
      const { state } = await discord.signIn(await startToSignIn(), newAccount());
      await expect(call('POST /api/login/provider', null, { state, error })).rejects.toMatchObject({
        ...{ code: 'sign_in_provider_unavailable', params: { provider: 'Discord' } },
      });
    },
  );

  it('whose response does not say who has signed in signs nobody in', async () => {
    for (const id of ['', 'x'.repeat(65)])
      await expect(signIn({ id, username: 'wumpus' })).rejects.toMatchObject({
        code: 'sign_in_provider_unavailable',
      });
  });
});

describe('the last way to sign in', () => {
  const lastWay = { code: 'last_way_to_sign_in' };

  it('is neither the passkey nor the identity that is left', async () => {
    const user = await newcomer();
    const { passkey } = await addPasskey(as(user), publicUrl);
    const [identity] = await as(user)('GET /api/user/identities', {});
    await as(user)('DELETE /api/user/identities/:id', { id: identity?.id ?? 0 });
    const remove = () => as(user)('DELETE /api/user/passkeys/:id', { id: passkey.id });
    await expect(remove()).rejects.toMatchObject(lastWay);
    await finishToLink(user, (await startToLink(user)).url);
    await remove();
    const [left] = await as(user)('GET /api/user/identities', {});
    await expect(as(user)('DELETE /api/user/identities/:id', { id: left?.id ?? 0 })).rejects.toMatchObject(
      lastWay,
    );
  });

  it('is not a passkey of a former address; that one can be removed at any time', async () => {
    const user = await newcomer();
    const { passkey } = await addPasskey(as(user), publicUrl);
    await talpa.sql`update auth.passkeys set host = 'alt.example.org' where id = ${passkey.id}`;
    await talpa.sql`delete from auth.identities where user_id = ${user.id}`;
    await as(user)('DELETE /api/user/passkeys/:id', { id: passkey.id });
    expect(await as(user)('GET /api/user/passkeys', {})).toEqual([]);
  });

  it('is not an identity whose provider is no longer offered; that one can be unlinked at any time', async () => {
    const user = await newcomer();
    await talpa.sql`
      insert into auth.identities (user_id, issuer, subject, name)
      values (${user.id}, 'https://gone.example.org', ${randomUUID()}, 'Erika')`;
    const [offered, gone] = await as(user)('GET /api/user/identities', {});
    expect(gone).toMatchObject({ provider: null, issuer: 'https://gone.example.org', name: 'Erika' });
    const unlink = (id = 0) => as(user)('DELETE /api/user/identities/:id', { id });
    await expect(unlink(offered?.id)).rejects.toMatchObject(lastWay);
    await unlink(gone?.id);
    expect(await audited('identity.unlink', user.id)).toMatchObject([
      { target: { label: 'gone.example.org' } },
    ]);
  });
});

it('a reset by the operator unlinks all identities: only they know the new password', async () => {
  const [user, account] = [await newUser(), newAccount()];
  const { url } = await startToLink(user);
  await as(user)('POST /api/user/identities', await discord.signIn(url, account));
  await talpa.ask('auth.resetAdmin', { username: user.username, password });
  await expect(signIn(account)).rejects.toMatchObject({ code: 'account_missing' });
  expect(await audited('user.reset', user.id)).toMatchObject([
    { changes: { identities: { from: 1, to: 0 } } },
  ]);
});

it('what a provider calls somebody is shown as one line of a hundred bytes, or what names the account', () => {
  expect(shownName(' Erika\u202e\u200b\n Muster ', '42')).toBe('Erika Muster');
  expect(shownName('ü'.repeat(60), '42')).toBe('ü'.repeat(50));
  expect(shownName('\u0000 \u2060', ' 42 ')).toBe('42');
});

it('the identities of a user who is not there are not found', async () => {
  const admin = await newUser();
  await talpa.sql`update auth.users set is_admin = true where id = ${admin.id}`;
  const actor = { ...admin.actor, isAdmin: true };
  await expect(call('GET /api/admin/users/:id/identities', actor, { id: 999_999_999 })).rejects.toEqual(
    new AppError('not_found'),
  );
});
