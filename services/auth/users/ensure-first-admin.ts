import type { InternalCalls, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { insertUser, lockAdministrators, nextUserId } from './sql.ts';

/** Creates an administrator where there is none; the launcher asks at each start. */
export const ensureFirstAdmin: Verb<InternalCalls['auth.ensureFirstAdmin'], AuthContext> = async (
  context,
  input,
) => {
  const [existing] = await context.sql`select 1 from users where is_admin limit 1`;
  if (existing) return { created: false };
  const passwordHash = await context.whileWaiting(context.passwords.hash(input.password));
  return context.transaction(async (tx) => {
    await lockAdministrators(tx.sql);
    const [meanwhile] = await tx.sql`select 1 from users where is_admin limit 1`;
    if (meanwhile) return { created: false };
    const id = await nextUserId(tx.sql);
    await insertUser(tx, { id, username: input.username, passwordHash, isAdmin: true });
    await tx.audit({
      target: { kind: 'user', id, label: input.username },
      subjectUserId: id,
      changes: { isAdmin: { to: true } },
    });
    return { created: true };
  });
};
