import { hash, verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

/** The real work, counted: what it costs must not depend on what is known. */
function countedArgon2() {
  const work = { hashes: 0, verifications: [] as string[] };
  const argon2 = {
    hash: ((...given: Parameters<typeof hash>) => {
      work.hashes += 1;
      return hash(...given);
    }) as typeof hash,
    verify: ((...given: Parameters<typeof verify>) => {
      work.verifications.push(String(given[0]).replace(/\$[^$]*\$[^$]*$/, ''));
      return verify(...given);
    }) as typeof verify,
  };
  return { work, argon2 };
}

describe('a password', () => {
  it('is hashed as OWASP recommends', async () => {
    const passwords = await createPasswords(1);
    expect(await passwords.hash('geheim')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('costs a name that does not exist the same work as one that does', async () => {
    const { work, argon2 } = countedArgon2();
    const passwords = await createPasswords(1, argon2);
    const stored = await passwords.hash('geheim');
    const before = work.hashes;
    expect(await passwords.verify(stored, 'falsch')).toBe(false);
    expect(await passwords.verify(null, 'falsch')).toBe(false);
    expect(work.hashes).toBe(before);
    expect(work.verifications).toEqual(Array(2).fill('$argon2id$v=19$m=19456,t=2,p=1'));
  });

  it('may be typed in either Unicode form', async () => {
    const passwords = await createPasswords(1);
    const stored = await passwords.hash('pässwort'.normalize('NFD'));
    expect(await passwords.verify(stored, 'pässwort'.normalize('NFC'))).toBe(true);
  });

  it('whose hash was made at another cost is known as outdated', async () => {
    const passwords = await createPasswords(1);
    expect(passwords.isOutdated(await passwords.hash('geheim'))).toBe(false);
    const earlier = await hash('geheim', { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    expect(passwords.isOutdated(earlier)).toBe(true);
    expect(await passwords.verify(earlier, 'geheim')).toBe(true);
  });
});
