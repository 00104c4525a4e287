import { randomBytes, randomUUID } from 'node:crypto';
import { readKeyRing } from '@talpa/service-kit/key-ring';
import { describe, expect, it } from 'vitest';
import { newSecret, openSecret, sealSecret } from './secret.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;

describe('a sealed secret', () => {
  const id = randomUUID();
  const secret = newSecret();

  it('opens under its own key, also after a newer key has come', () => {
    const old = key('old');
    const sealed = sealSecret(readKeyRing(old), id, secret);
    expect(openSecret(readKeyRing(`${key('new')},${old}`), id, sealed)).toEqual(secret);
  });

  it('does not open for another tunnel, changed, or without its key', () => {
    const keys = readKeyRing(key('k'));
    const sealed = sealSecret(keys, id, secret);
    expect(() => openSecret(keys, randomUUID(), sealed)).toThrow();
    const changed = Buffer.from(sealed.secret);
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(() => openSecret(keys, id, { ...sealed, secret: changed })).toThrow();
    expect(() => openSecret(readKeyRing(key('other')), id, sealed)).toThrow('TOKEN_KEYS');
  });
});
