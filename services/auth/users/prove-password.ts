import { AppError } from '@talpa/service-kit/app-error';
import type { AuthContext } from '../context.ts';
import { findUser, type UserRow } from './sql.ts';

interface Proof<T> {
  readonly password: string;
  /** Finds the user whose password it should be; an unknown one costs the same work. */
  find(): Promise<UserRow | undefined>;
  /** The error for a wrong password. */
  readonly refusal: AppError;
  /** Null when it finds that `user.passwordHash` is no longer the stored one. */
  work(user: UserRow): Promise<T | null>;
}

const attempts = 3;

/**
 * Does something that takes a password. The password may be changed while it is being checked, by its owner
 * or because its hash is renewed: then it is checked again.
 * @throws AppError the refusal
 */
export async function provePassword<T>(
  { passwords, whileWaiting }: Pick<AuthContext, 'passwords' | 'whileWaiting'>,
  { password, find, refusal, work }: Proof<T>,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const user = await find();
    const matches = await whileWaiting(passwords.verify(user?.passwordHash ?? null, password));
    if (!user || !matches) throw refusal;
    const done = await work(user);
    if (done !== null) return done;
  }
  throw refusal;
}

/** The same for the signed-in user, who gives their password once more. @throws AppError `wrong_password`, `password_missing` */
export async function proveOwnPassword(
  context: AuthContext & { readonly actor: { readonly userId: number } },
  field: string,
  password: string,
  work: (user: UserRow) => Promise<true | null>,
): Promise<void> {
  await provePassword(context, {
    password,
    find: async () => {
      const user = await findUser(context.sql, context.actor.userId);
      if (!user) throw new AppError('not_signed_in');
      if (!user.hasPassword) throw new AppError('password_missing');
      return user;
    },
    refusal: new AppError('wrong_password', { issues: [{ path: [field], key: 'passwordWrong' }] }),
    work,
  });
}
