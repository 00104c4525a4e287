import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@talpa/service-kit/app-error';
import { createPasswords } from '@talpa/service-kit/passwords';
import { expect, it } from 'vitest';
import { provePassword } from './prove-password.ts';
import type { UserRow } from './sql.ts';

const refusal = new AppError('invalid_credentials');
const whileWaiting = <T>(wait: Promise<T>) => wait;

it('an unknown name takes as many hashes as a wrong password, and gets the same error', async () => {
  const costs: string[] = [];
  const passwords = await createPasswords(1, {
    hash,
    verify: ((...given: Parameters<typeof verify>) => {
      costs.push(String(given[0]).replace(/\$[^$]*\$[^$]*$/, ''));
      return verify(...given);
    }) as typeof verify,
  });
  const known = { passwordHash: await passwords.hash('geheim') } as UserRow;
  const costOf = async (user: UserRow | undefined) => {
    const work = () => Promise.reject(new Error('it was let in'));
    const proof = { password: 'falsch', find: async () => user, refusal, work };
    await expect(provePassword({ passwords, whileWaiting }, proof)).rejects.toBe(refusal);
    return costs.splice(0);
  };
  const ofKnown = await costOf(known);
  expect(ofKnown).toHaveLength(1);
  expect(await costOf(undefined)).toEqual(ofKnown);
});
