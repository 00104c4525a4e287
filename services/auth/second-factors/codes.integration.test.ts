import { createHash } from 'node:crypto';
import type { RequestOf, RouteName, Routes } from '@talpa/contracts';
import { setUpApp } from '@talpa/test-kit/second-factors';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { usersOf } from '@talpa/test-kit/users';
import { expect, it } from 'vitest';
import { deleteEnded } from '../cleaner.ts';

// There is no PUBLIC_URL.
const talpa = useServices(useStores(), ['auth']);
const { newUser } = usersOf(talpa, 'code');
type TestUser = Awaited<ReturnType<typeof newUser>>;

const as =
  (user: TestUser) =>
  <N extends RouteName>(route: N, input: RequestOf<Routes[N]>) =>
    talpa.call(route, user.actor, input);

it('an app names the account after Talpa alone where the panel has no address', async () => {
  const { uri } = await as(await newUser())('POST /api/user/authenticator', {});
  expect(new URL(uri).searchParams.get('issuer')).toBe('Talpa');
});

it('a recovery code that begins or ends with six digits is not taken for a code of the app', async () => {
  const user = await newUser();
  await setUpApp(as(user));
  for (const code of ['123456ABCDEFGHJK', 'ABCDEFGHJK123456']) {
    await talpa.sql`
      update auth.recovery_codes set hash = ${createHash('sha256').update(code).digest()}
      where ctid = (select ctid from auth.recovery_codes where user_id = ${user.id} and used_at is null limit 1)`;
    await as(user)('POST /api/user/step-up', { code });
  }
});

it('nothing is set up or removed for a user who is gone, although their signature still holds', async () => {
  const user = await newUser();
  const { app } = await setUpApp(as(user));
  await talpa.sql`delete from auth.users where id = ${user.id}`;
  for (const [route, input, code] of [
    ['POST /api/user/authenticator', {}, 'not_signed_in'],
    ['POST /api/user/authenticator/confirmation', { code: app.now() }, 'not_signed_in'],
    ['POST /api/user/authenticator/removal', { code: app.next() }, 'no_second_factor'],
  ] as const)
    await expect(as(user)(route, input)).rejects.toMatchObject({ code });
});

it('deleted are apps that nobody confirms within a day, and counts of wrong codes that have ended', async () => {
  const [pending, confirmed, recent] = [await newUser(), await newUser(), await newUser()];
  for (const user of [pending, recent]) await as(user)('POST /api/user/authenticator', {});
  await setUpApp(as(confirmed));
  const wrong = as(confirmed)('POST /api/user/step-up', { code: '000000' });
  await expect(wrong).rejects.toMatchObject({ code: 'wrong_code' });
  await talpa.sql`
    update auth.pending_authenticators set created_at = now() - interval '25 hours' where user_id = ${pending.id}`;
  const left = async () => {
    await talpa.sql.begin(async (sql) => {
      await sql`set local search_path = auth`;
      await deleteEnded(sql);
    });
    const ids = [pending.id, confirmed.id, recent.id];
    const apps = await talpa.sql<{ userId: number }[]>`
      select user_id from auth.authenticators where user_id in ${talpa.sql(ids)} union all
      select user_id from auth.pending_authenticators where user_id in ${talpa.sql(ids)} order by user_id`;
    const counts = await talpa.sql`select 1 from auth.wrong_codes where user_id = ${confirmed.id}`;
    return [apps.map(({ userId }) => userId), counts.length];
  };
  expect(await left()).toEqual([[confirmed.id, recent.id], 1]);
  await talpa.sql`update auth.wrong_codes set window_ends_at = now() - interval '1 second'`;
  expect(await left()).toEqual([[confirmed.id, recent.id], 0]);
});
