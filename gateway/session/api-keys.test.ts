import { randomBytes } from 'node:crypto';
import type { KeyActor } from '@talpa/contracts';
import { createAssertionSigner } from '@talpa/service-kit/session/assertion';
import { openSigningKeys, openVerifyingKeys, publicHalf } from '@talpa/service-kit/session/keys';
import { describe, expect, it, vi } from 'vitest';
import { type AskKey, createApiKeys, hasBearer, presentedKey } from './api-keys.ts';

const newSecret = () => randomBytes(32).toString('base64url');
const secret = newSecret();
const keys = openSigningKeys(`k1:${secret}`);
const newKeys = () => createApiKeys(openVerifyingKeys(`k1:${publicHalf(secret)}`));
const text = `talpa_7_${'ab'.repeat(32)}`;
const key = presentedKey(`Bearer ${text}`, '192.0.2.1') ?? expect.unreachable();
const apiKey = { id: 7, name: 'Skript', scopes: [], proxyIds: null, expiresAt: null };
const actor: KeyActor = { userId: 5, isAdmin: false, sessionId: null, apiKey };

/** Answers every question with this actor, signed by these keys, and counts them. */
function answering(one: KeyActor, by = keys) {
  const asked: string[] = [];
  const ask: AskKey = async ({ address }) => {
    asked.push(address);
    return { assertion: createAssertionSigner(by)(one) };
  };
  return { ask, asked };
}

describe('a Bearer token', () => {
  it('is an API key in exactly its form, whatever the case of “Bearer”', () => {
    expect(presentedKey(`bearer  ${text} `, '192.0.2.1')).toEqual(key);
    for (const wrong of [`${text}0`, text.slice(0, -1), text.toUpperCase(), `x${text}`, 'talpa__', ''])
      expect(presentedKey(`Bearer ${wrong}`, '192.0.2.1')).toBeNull();
    expect(['Bearer x', 'bearer x', 'Basic x', 'Bearerx', undefined].map(hasBearer)).toEqual([
      ...[true, true, false],
      ...[false, false],
    ]);
  });
});

describe('an API key', () => {
  it('is asked about once per cache version and address, and each time without a version', async () => {
    const known = newKeys();
    const { ask, asked } = answering(actor);
    for (const version of ['v1', 'v1', 'v2', null, null]) await known.actorOf(key, version, ask);
    expect(asked).toHaveLength(4);
    const elsewhere = presentedKey(`Bearer ${text}`, '192.0.2.2') ?? expect.unreachable();
    expect(known.ownerOf(elsewhere)).toBeNull();
    await known.actorOf(elsewhere, 'v1', ask);
    expect(asked).toHaveLength(5);
    expect(known.ownerOf(key)).toEqual({ userId: 5 });
    known.forget(key);
    expect(known.ownerOf(key)).toBeNull();
  });

  it('is asked about again after half a minute, and as soon as it has expired', async () => {
    vi.useFakeTimers({ now: Date.now() });
    const [known, short] = [newKeys(), newKeys()];
    const long = answering(actor);
    const dying = answering({ ...actor, apiKey: { ...apiKey, expiresAt: Date.now() + 5_000 } });
    await known.actorOf(key, 'v1', long.ask);
    await short.actorOf(key, 'v1', dying.ask);
    const later = async (ms: number) => {
      vi.advanceTimersByTime(ms);
      await known.actorOf(key, 'v1', long.ask);
      // What has expired is signed no more.
      await (async () => short.actorOf(key, 'v1', dying.ask))().catch(() => {});
      return [long.asked.length, dying.asked.length];
    };
    expect(await later(4_000)).toEqual([1, 1]);
    expect(await later(1_001)).toEqual([1, 2]);
    expect((await later(25_000))[0]).toBe(2);
    vi.useRealTimers();
  });

  it('is what auth has signed, whatever service responds in its name', async () => {
    const forger = openSigningKeys(`k1:${newSecret()}`);
    const session = createAssertionSigner(keys)({ userId: 5, isAdmin: true, sessionId: crypto.randomUUID() });
    for (const ask of [
      answering(actor, forger).ask,
      answering({ ...actor, apiKey: { ...apiKey, id: 8 } }).ask,
      async () => ({ assertion: session }),
    ])
      await expect(newKeys().actorOf(key, 'v1', ask)).rejects.toThrow('not signed by auth');
  });
});
