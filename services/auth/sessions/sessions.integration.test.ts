import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { type Tx, withTransaction } from '@talpa/service-kit/database/transaction';
import { createPasswords, type Passwords } from '@talpa/service-kit/passwords';
import { createAssertionSigner, createAssertionVerifier } from '@talpa/service-kit/session/assertion';
import { openSigningKeys, openVerifyingKeys, publicHalf } from '@talpa/service-kit/session/keys';
import { createTokenVerifier, signSession, verifySession } from '@talpa/service-kit/session/token';
import { useStores } from '@talpa/test-kit/stores';
import { useVerbs } from '@talpa/test-kit/verbs';
import { beforeAll, describe, expect, it } from 'vitest';
import { deleteAccount } from '../accounts/delete.ts';
import type { AuthContext } from '../context.ts';
import { changePassword } from '../passwords/change.ts';
import { login } from '../sign-ins/login.ts';
import { insertUser, nextUserId } from '../users/sql.ts';
import { getSession } from './get.ts';
import { listSessions } from './list.ts';
import { openSession } from './open.ts';
import { deleteEndedSessions, endAllSessions, endOtherSessions, endSession } from './sql.ts';

const auth = useVerbs(useStores(), 'auth');
const newSecret = () => randomBytes(32).toString('base64url');
const secret = newSecret();
const sessionKeys = openSigningKeys(`test:${secret}`);
const publicKeys = openVerifyingKeys(`test:${publicHalf(secret)}`);
const verifyToken = createTokenVerifier(publicKeys);
const signAssertion = createAssertionSigner(sessionKeys);
const verifyAssertion = createAssertionVerifier(publicKeys);
const password = 'geheim-123';
let passwords: Passwords;
beforeAll(async () => {
  passwords = await createPasswords(2);
});

const context = (changes: Partial<AuthContext> = {}) =>
  ({
    ...auth.call(null, 'session.signIn'),
    passwords,
    sessionKeys,
    verifyToken,
    signAssertion,
    ...changes,
  }) as AuthContext & {
    actor: null;
  };

let users = 0;
async function newUser(passwordHash?: string) {
  users += 1;
  const username = `anna${users}`;
  const id = await nextUserId(auth.sql);
  const stored = passwordHash ?? (await passwords.hash(password));
  await auth.transaction((tx) => insertUser(tx, { id, username, passwordHash: stored, isAdmin: false }));
  return { id, username };
}
/** The JWTs of the sessions, by their ids. */
const cookies = new Map<string, string>();
async function newSession(userId: number, changes: Partial<AuthContext> = {}): Promise<string> {
  const { sessionId, jwt } = await auth.transaction((tx) => openSession(tx, userId, context(changes)));
  cookies.set(sessionId, jwt);
  return sessionId;
}
const lastUsed = (sessionId: string, ago: string) =>
  auth.sql`update sessions set last_used_at = now() - ${ago}::interval where id = ${sessionId}`;
/** Who auth says that a session belongs to. */
async function asked(sessionId: string, use = true, token = cookies.get(sessionId) ?? '') {
  const response = await getSession(context(), { token, use });
  return response && verifyAssertion(response.assertion);
}
/** A service's transactions, and whose cached data the gateways forget because of them. */
function watchedInvalidations() {
  const invalidated: unknown[] = [];
  const cacheVersions = {
    read: async () => null,
    invalidate: async (owners: readonly unknown[]) => void invalidated.push(...owners),
  };
  const base = { service: 'auth', sql: auth.sql, outbox: { kick: () => {} }, cacheVersions } as const;
  const transaction = <T>(work: (tx: Tx) => Promise<T>) => withTransaction(base, work);
  return { invalidated, cacheVersions, transaction };
}
const listed = (userId: number, sessionId: string) =>
  listSessions({ ...context(), actor: { userId, isAdmin: false, sessionId } } as never, {});

describe('a session', () => {
  it('ends after seven days without use, and thirty days after its beginning whatever its use', async () => {
    const { id } = await newUser();
    const [used, idle, old] = [await newSession(id), await newSession(id), await newSession(id)];
    await lastUsed(used, '6 days 23 hours');
    await lastUsed(idle, '7 days 1 minute');
    await auth.sql`update sessions set expires_at = now() - interval '1 second' where id = ${old}`;
    expect(await asked(idle)).toBeNull();
    expect(await asked(old)).toBeNull();
    expect((await listed(id, used)).map((session) => session.id)).toEqual([used]);
    expect(await asked(used)).toMatchObject({ userId: id });
    await auth.sql`update sessions set expires_at = expires_at - interval '30 days'`;
    expect(await asked(used)).toBeNull();
  });

  it('that has ended is deleted now and then, and no other', async () => {
    const { id } = await newUser();
    const [used, idle, old] = [await newSession(id), await newSession(id), await newSession(id)];
    await lastUsed(idle, '7 days 1 minute');
    await auth.sql`update sessions set expires_at = now() - interval '1 second' where id = ${old}`;
    await deleteEndedSessions(auth.sql);
    expect(await auth.sql`select id from sessions where user_id = ${id}`).toEqual([{ id: used }]);
  });

  it('stores the language it was opened in, for emails to its user', async () => {
    const { id } = await newUser();
    for (const language of ['en', 'de'] as const) {
      await newSession(id, { language });
      expect(await auth.sql`select language from users where id = ${id}`).toEqual([{ language }]);
    }
  });

  it('is kept alive by use alone: not by what asks without anybody’s doing', async () => {
    const { id } = await newUser();
    const session = await newSession(id);
    await lastUsed(session, '6 days');
    await asked(session, false);
    const age = async () => {
      const [row] = await auth.sql<{ days: number }[]>`
        select extract(days from now() - last_used_at)::integer as days from sessions where id = ${session}`;
      return row?.days;
    };
    expect(await age()).toBe(6);
    await asked(session);
    expect(await age()).toBe(0);
  });

  it('that ends by somebody’s doing, alone or with others, is forgotten by every gateway at once', async () => {
    const { id } = await newUser();
    const { invalidated, transaction } = watchedInvalidations();
    const one = await newSession(id);
    for (const end of [
      (tx: Tx) => endSession(tx, id, one),
      (tx: Tx) => endOtherSessions(tx, { userId: id, sessionId: one }),
      (tx: Tx) => endAllSessions(tx, id),
    ]) {
      await newSession(id);
      await transaction<unknown>(end);
      expect(invalidated.splice(0)).toEqual([id]);
    }
  });

  it('that is opened or used shows at once in lists that gateways have cached, and one that ends by itself', async () => {
    const { id } = await newUser();
    const { invalidated, cacheVersions, transaction } = watchedInvalidations();
    const opened = await transaction((tx) => openSession(tx, id, context()));
    expect(invalidated.splice(0)).toEqual([id]);
    const use = () => getSession(context({ cacheVersions }), { token: opened.jwt, use: true });
    await use();
    expect(invalidated).toEqual([]);
    await lastUsed(opened.sessionId, '6 days 23 hours');
    const ends: (string | null)[] = [];
    const actor = { userId: id, isAdmin: false, sessionId: opened.sessionId };
    const freshUntil = (time: string | null) => void ends.push(time);
    await listSessions({ ...context(), actor, freshUntil } as never, {});
    const [end = ''] = ends;
    expect(Date.parse(end ?? '') - Date.now()).toBeGreaterThan(55 * 60_000);
    expect(Date.parse(end ?? '') - Date.now()).toBeLessThanOrEqual(60 * 60_000);
    await use();
    expect(invalidated).toEqual([id]);
  });
});

describe('who a session belongs to', () => {
  it('is returned to the holder of its cookie, not to callers who know or made up its id', async () => {
    const { id } = await newUser();
    const sessionId = await newSession(id);
    const expiresAt = new Date(Date.now() + 60_000);
    const forged = signSession(openSigningKeys(`test:${newSecret()}`), { sessionId, userId: id, expiresAt });
    for (const token of [sessionId, forged, signAssertion({ userId: id, isAdmin: true, sessionId })])
      expect(await asked(sessionId, true, token)).toBeNull();
    expect(await asked(sessionId)).toEqual({
      ...{ userId: id, isAdmin: false, sessionId },
      provedAt: expect.any(Number),
    });
  });
});

describe('a user’s sessions', () => {
  it('are a hundred at most: a sign-in ends the one used longest ago, also when many come at once', async () => {
    const { id, username } = await newUser();
    await auth.sql`
      insert into sessions (user_id, expires_at, last_used_at, address, user_agent)
      select ${id}, now() + interval '1 day', now() - number * interval '1 minute', '192.0.2.1', number::text
      from generate_series(1, 99) number`;
    const kept = async () => (await auth.sql`select 1 from sessions where user_id = ${id}`).length;
    const { id: other } = await newUser();
    await newSession(other);
    await login(context(), { username, password });
    expect(await kept()).toBe(100);
    // All have proven their password before the first is let in.
    const proven = Promise.withResolvers<void>();
    let proofs = 0;
    const verify: Passwords['verify'] = async (...given) => {
      const matches = await passwords.verify(...given);
      proofs += 1;
      if (proofs === 6) proven.resolve();
      await proven.promise;
      return matches;
    };
    const together = context({ passwords: { ...passwords, verify } });
    await Promise.all(Array.from({ length: 6 }, () => login(together, { username, password })));
    expect(await kept()).toBe(100);
    const [oldest] = await auth.sql<{ agent: number }[]>`
      select max(user_agent::integer) as agent from sessions where user_id = ${id} and user_agent <> 'test'`;
    expect(oldest?.agent).toBe(93);
    expect((await auth.sql`select 1 from sessions where user_id = ${other}`).length).toBe(1);
    // Seven sign-ins: the first found room. What was begun with an ended session ends with it.
    const visits = await auth.sql<{ payload: { sessionId: string } }[]>`
      select payload from outbox where subject like '%endVisits%' and payload->>'userId' = ${String(id)}`;
    expect(new Set(visits.map(({ payload }) => payload.sessionId)).size).toBe(6);
  });

  it('keep the name of a browser in 300 bytes of whole characters', async () => {
    const { id } = await newUser();
    for (const [given, kept] of [
      ['ü'.repeat(400), 'ü'.repeat(150)],
      [`a${'ü'.repeat(400)}`, `a${'ü'.repeat(149)}`],
      ['x'.repeat(301), 'x'.repeat(300)],
    ] as const) {
      const session = await newSession(id, { client: { address: '192.0.2.1', userAgent: given } });
      const [row] = await auth.sql`select user_agent from sessions where id = ${session}`;
      expect(row?.userAgent).toBe(kept);
    }
  });
});

const storedHash = async (id: number) =>
  (await auth.sql<{ passwordHash: string }[]>`select password_hash from users where id = ${id}`)[0]
    ?.passwordHash;
/** While a password is checked for the first time, its user's hash becomes this one. */
function changingMeanwhile(id: number, changed: string) {
  const verify: Passwords['verify'] = async (...given) => {
    const matches = await passwords.verify(...given);
    await auth.sql`update users set password_hash = ${changed} where id = ${id}`;
    return matches;
  };
  return context({ passwords: { ...passwords, verify } });
}

describe('a password', () => {
  it('changed while its old hash is renewed stays the new one', async () => {
    const earlier = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const { id, username } = await newUser(earlier);
    const changed = await passwords.hash('ganz-neu-123');
    const slow: Passwords = {
      ...passwords,
      // The owner changes the password while the renewed hash is computed.
      hash: async (given) => {
        await auth.sql`update users set password_hash = ${changed} where id = ${id}`;
        return passwords.hash(given);
      },
    };
    let jwt = '';
    const setSession = (given: string) => {
      jwt = given;
    };
    await login(context({ passwords: slow, setSession }), { username, password });
    expect(verifySession(publicKeys, jwt)?.userId).toBe(id);
    expect(await storedHash(id)).toBe(changed);
  });

  it('changed while it is checked lets nobody in with the old one, and changes nothing', async () => {
    const { id, username } = await newUser();
    const session = await newSession(id);
    const changed = await passwords.hash('ganz-neu-123');
    await expect(login(changingMeanwhile(id, changed), { username, password })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    const stored = await passwords.hash(password);
    await auth.sql`update users set password_hash = ${stored} where id = ${id}`;
    const actor = { userId: id, isAdmin: false, sessionId: await newSession(id) };
    await expect(
      changePassword(
        { ...changingMeanwhile(id, changed), ...auth.call(actor, 'user.changePassword') },
        { currentPassword: password, newPassword: 'meins-allein-1' },
      ),
    ).rejects.toMatchObject({ code: 'wrong_password' });
    await auth.sql`update users set password_hash = ${stored} where id = ${id}`;
    await expect(
      deleteAccount({ ...changingMeanwhile(id, changed), ...auth.call(actor, 'user.delete') }, { password }),
    ).rejects.toMatchObject({ code: 'wrong_password' });
    expect(await storedHash(id)).toBe(changed);
    const sessions = await auth.sql<{ id: string }[]>`select id from sessions where user_id = ${id}`;
    expect(sessions.map((row) => row.id).toSorted()).toEqual([session, actor.sessionId].toSorted());
  });

  it('whose hash alone is renewed while it is checked counts', async () => {
    const { id, username } = await newUser();
    const renewed = await passwords.hash(password);
    expect(await login(changingMeanwhile(id, renewed), { username, password })).toMatchObject({ id });
  });

  it('that changes with each check is not checked for ever', async () => {
    const { id, username } = await newUser();
    let checks = 0;
    const verify: Passwords['verify'] = async () => {
      checks += 1;
      await auth.sql`update users set password_hash = ${`changed ${checks}`} where id = ${id}`;
      return true;
    };
    const changing = context({ passwords: { ...passwords, verify } });
    await expect(login(changing, { username, password })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect(checks).toBe(3);
  });
});
