import { randomBytes, randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { Actor } from '@talpa/contracts';
import { createAssertionSigner } from '@talpa/service-kit/session/assertion';
import { openSigningKeys, openVerifyingKeys, publicHalf } from '@talpa/service-kit/session/keys';
import { signSession } from '@talpa/service-kit/session/token';
import { scrape } from '@talpa/service-kit/telemetry/metrics';
import { describe, expect, it, vi } from 'vitest';
import { createSessionCookie } from './cookie.ts';
import { type AskSession, createSessions } from './sessions.ts';

const newSecret = () => randomBytes(32).toString('base64url');
const secret = newSecret();
const keys = openSigningKeys(`k1:${secret}`);
const newSessions = () =>
  createSessions(openVerifyingKeys(`k1:${publicHalf(secret)}`), createSessionCookie(false));
const inAnHour = () => new Date(Date.now() + 3_600_000);
const newClaim = () => ({ sessionId: randomUUID(), userId: 7, expiresAt: inAnHour() });

/** A request with a cookie. */
const asking = (cookie: string, socket = new Socket()) => ({ headers: { cookie }, socket });

/** Something of auth's has changed between two of these. */
const both = (version: string | null) => ({ ownVersion: version, sessionsVersion: version });

/** Answers every question with this actor, signed by these keys, and counts them. */
function answering(actor: Actor | null, by = keys) {
  const asked: boolean[] = [];
  const ask: AskSession = async (_token, use) => {
    asked.push(use);
    return actor && { assertion: createAssertionSigner(by)(actor) };
  };
  return { ask, asked };
}

describe('a cookie’s claim', () => {
  it('counts only if we signed it and it has not expired', () => {
    const sessions = newSessions();
    const claim = newClaim();
    const jwt = signSession(keys, claim);
    expect(sessions.claimOf(asking(`talpa_session=${jwt}`))).toMatchObject({
      sessionId: claim.sessionId,
      userId: 7,
    });
    expect(sessions.claimOf(asking(`talpa_session=${jwt.slice(0, -2)}xx`))).toBeNull();
    const foreign = openSigningKeys(`k1:${newSecret()}`);
    expect(sessions.claimOf(asking(`talpa_session=${signSession(foreign, claim)}`))).toBeNull();
    const expired = signSession(keys, { ...claim, expiresAt: new Date(Date.now() - 1_000) });
    expect(sessions.claimOf(asking(`talpa_session=${expired}`))).toBeNull();
    expect(sessions.claimOf(asking('talpa_session=nonsense'))).toBeNull();
    expect(sessions.claimOf({ headers: {}, socket: new Socket() })).toBeNull();
  });

  it('is the one of the cookie that was sent, whatever came before on the connection', () => {
    const sessions = newSessions();
    const connection = new Socket();
    const [one, other] = [newClaim(), { ...newClaim(), userId: 8 }];
    const claimOf = (cookie: string) => sessions.claimOf(asking(cookie, connection))?.userId;
    const [first, second] = [one, other].map((claim) => `talpa_session=${signSession(keys, claim)}`);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(claimOf(`${first}`)).toBe(7);
      expect(claimOf(`${first}`)).toBe(7);
      expect(claimOf(`${second}`)).toBe(8);
      expect(claimOf('talpa_session=nonsense')).toBeUndefined();
      expect(claimOf('talpa_session=nonsense')).toBeUndefined();
    }
  });

  it('ends with its time, on an open connection too', () => {
    const sessions = newSessions();
    const connection = new Socket();
    vi.useFakeTimers({ now: Date.now() });
    const cookie = `talpa_session=${signSession(keys, newClaim())}`;
    expect(sessions.claimOf(asking(cookie, connection))).not.toBeNull();
    vi.setSystemTime(inAnHour().getTime() + 1_000);
    expect(sessions.claimOf(asking(cookie, connection))).toBeNull();
    vi.useRealTimers();
  });
});

describe('a session', () => {
  const claim = { ...newClaim(), jwt: 'the cookie’s' };
  const actor = { userId: 7, isAdmin: false, sessionId: claim.sessionId };

  it('is asked for once per cache version', async () => {
    const sessions = newSessions();
    const auth = answering(actor);
    for (const version of ['s1', 's1', 's2', 's1'])
      expect(await sessions.actorOf(claim, both(version), true, auth.ask)).toMatchObject({ actor });
    expect(auth.asked).toHaveLength(2);
  });

  it('is not asked for again when something else of its user has changed', async () => {
    const sessions = newSessions();
    const auth = answering(actor);
    for (const ownVersion of ['o1', 'o2', 'o3'])
      expect(
        await sessions.actorOf(claim, { ownVersion, sessionsVersion: 's1' }, true, auth.ask),
      ).toMatchObject({ actor });
    expect(auth.asked).toHaveLength(1);
    expect(sessions.cachedActor(claim, 'o3')).toMatchObject({ actor });
    const changed = { ownVersion: 'o4', sessionsVersion: 's2' };
    expect(await sessions.actorOf(claim, changed, true, answering(null).ask)).toBeNull();
  });

  it('is asked for each time without a cache version', async () => {
    const sessions = newSessions();
    const auth = answering(null);
    for (let i = 0; i < 3; i += 1)
      expect(await sessions.actorOf(claim, both(null), true, auth.ask)).toBeNull();
    expect(auth.asked).toHaveLength(3);
  });

  it('is counted in the metrics of the cache “sessions”', async () => {
    const sessions = newSessions();
    const hits = async () =>
      Number(
        /^talpa_cache_requests_total\{cache="sessions",result="hit"\} (\d+)$/m.exec(await scrape())?.[1] ?? 0,
      );
    const before = await hits();
    await sessions.actorOf(claim, both('s1'), true, answering(actor).ask);
    await sessions.actorOf(claim, both('s1'), true, answering(actor).ask);
    expect(await hits()).toBe(before + 1);
  });

  it('that auth calls ended is known as that, also without a cache version', async () => {
    const sessions = newSessions();
    await sessions.actorOf(claim, both('s1'), true, answering(actor).ask);
    expect(sessions.hasEnded(claim)).toBe(false);
    await sessions.actorOf(claim, both(null), true, answering(null).ask);
    expect(sessions.hasEnded(claim)).toBe(true);
    expect(sessions.hasEnded({ ...claim, sessionId: randomUUID() })).toBe(false);
  });

  it('that was asked for by a ping is asked for again when it is used', async () => {
    const sessions = newSessions();
    const auth = answering(actor);
    await sessions.actorOf(claim, both('s1'), false, auth.ask);
    await sessions.actorOf(claim, both('s1'), true, auth.ask);
    await sessions.actorOf(claim, both('s1'), false, auth.ask);
    expect(auth.asked).toEqual([false, true]);
  });

  it('that is asked for by a ping is its own, whichever user pinged before', async () => {
    const sessions = newSessions();
    const other = { ...newClaim(), userId: 8, jwt: 'the other’s' };
    const others = { userId: 8, isAdmin: false, sessionId: other.sessionId };
    expect(await sessions.actorOf(claim, both('s1'), false, answering(actor).ask)).toMatchObject({ actor });
    expect(await sessions.actorOf(other, both('s1'), false, answering(others).ask)).toMatchObject({
      actor: others,
    });
  });

  it('is cached once it has been used, under the same cache version', async () => {
    const sessions = newSessions();
    expect(sessions.cachedActor(claim, 's1')).toBeUndefined();
    await sessions.actorOf(claim, both('s1'), false, answering(actor).ask);
    expect(sessions.cachedActor(claim, 's1')).toBeUndefined();
    await sessions.actorOf(claim, both('s1'), true, answering(actor).ask);
    expect(sessions.cachedActor(claim, 's1')).toMatchObject({ actor });
    expect(sessions.cachedActor(claim, 's2')).toBeUndefined();
  });

  it('is not cached as ended when auth could not be asked', async () => {
    const sessions = newSessions();
    const failing: AskSession = () => Promise.reject(new Error('away'));
    await expect(sessions.actorOf(claim, both('s1'), true, failing)).rejects.toThrow('away');
    expect(await sessions.actorOf(claim, both('s1'), true, answering(actor).ask)).toMatchObject({ actor });
  });

  it('belongs to the user that auth has signed, whatever service responds in its name', async () => {
    const forger = openSigningKeys(`k1:${newSecret()}`);
    for (const forged of [
      answering({ ...actor, isAdmin: true }, forger),
      answering({ ...actor, userId: 1 }),
      answering({ ...actor, sessionId: randomUUID() }),
    ])
      await expect(newSessions().actorOf(claim, both('s1'), true, forged.ask)).rejects.toThrow(
        'not signed by auth',
      );
  });

  it('is asked for anew after half a minute, however long its cache version is kept alive', async () => {
    const sessions = newSessions();
    const auth = answering(actor);
    vi.useFakeTimers({ now: Date.now() });
    await sessions.actorOf(claim, both('s1'), true, auth.ask);
    vi.advanceTimersByTime(29_000);
    await sessions.actorOf(claim, both('s1'), true, auth.ask);
    expect(auth.asked).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    await sessions.actorOf(claim, both('s1'), true, auth.ask);
    expect(auth.asked).toHaveLength(2);
    vi.useRealTimers();
  });
});
