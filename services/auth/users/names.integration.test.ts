import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { until } from '@talpa/test-kit/wait';
import { describe, expect, it } from 'vitest';
import { skeletonsOf } from './skeleton.ts';
import { insertUser, nextUserId } from './sql.ts';

const auth = useVerbs(useStores(), 'auth');

async function take(username: string): Promise<void> {
  const id = await nextUserId(auth.sql);
  const user = { id, username, passwordHash: 'x', isAdmin: false };
  await auth.transaction((tx) => insertUser(tx, user));
}
const similar = { code: 'username_similar' };

describe('a user name', () => {
  it('that looks like another’s is refused, whichever of them is the plain one', async () => {
    await take('moritz');
    for (const name of ['mоritz', 'ｍoritz', 'moritz.', 'rnoritz', 'MORITZ_'])
      await expect(take(name), name).rejects.toMatchObject(similar);
    await expect(take('Moritz')).rejects.toMatchObject({ code: 'username_taken' });
    await take('Аnton');
    await expect(take('anton')).rejects.toMatchObject(similar);
    await take('moritz.2');
    await take('fritz');
  });

  it('goes to one of many who want it, or one like it, at once', async () => {
    const names = ['paula', 'pаula', 'paul4', 'раula', 'Paula', 'ｐaula', 'paula_'];
    const ends = await Promise.allSettled(names.map(take));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const [row] = await auth.sql`
      select count(*)::integer as count from users where skeletons && ${skeletonsOf('paula')}`;
    expect(row?.count).toBe(1);
  });

  it('is not given while one that looks like it is being taken', async () => {
    let late: Promise<unknown> | undefined;
    await auth.transaction(async (tx) => {
      const id = await nextUserId(tx.sql);
      await insertUser(tx, { id, username: 'ronja', passwordHash: 'x', isAdmin: false });
      late = take('rоnja').catch((error: unknown) => error);
      await until(
        'the other waits',
        async () => (await auth.sql`select 1 from pg_locks where not granted`).length,
      );
    });
    expect(await late).toMatchObject(similar);
  });
});
