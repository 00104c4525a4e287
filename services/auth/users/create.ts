import { planOf, type Routes, type Verb } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { firstState } from '@talpa/service-kit/database/changes';
import { once } from '@talpa/service-kit/database/idempotency';
import type { AuthContext } from '../context.ts';
import { orderEntitlement } from '../entitlements/order.ts';
import { requireStepUp } from '../sessions/require-step-up.ts';
import { findUser, findUserByName, insertUser, lockAsAdministrator, nextUserId, publicUser } from './sql.ts';

/** An administrator creates a user with a plan. Returns when all services have applied the plan. */
export const createUser: Verb<Routes['POST /api/admin/users'], AuthContext> = (context, input) => {
  const tier = input.subscriptionTier;
  const proxyLimit = input.proxyLimit ?? (tier ? planOf(tier).proxyLimit : 0);
  const response = async (id: number) => {
    const user = await findUser(context.sql, id);
    if (!user) throw new AppError('not_found');
    // The order is stored for good even when its effect is late: answer what was ordered.
    return { ...publicUser(user), subscriptionTier: tier, proxyLimit };
  };
  return once({
    context,
    call: 'createUser',
    input,
    create: async (claim) => {
      const { sql, passwords, actor } = context;
      if (input.isAdmin) requireStepUp(actor);
      if (await findUserByName(sql, input.username)) throw new AppError('username_taken');
      const passwordHash = await context.whileWaiting(passwords.hash(input.password));
      const id = await nextUserId(sql);
      await orderEntitlement(context, id, async (tx) => {
        await lockAsAdministrator(tx.sql, context.actor);
        await claim(tx, String(id));
        await insertUser(tx, { id, username: input.username, passwordHash, isAdmin: input.isAdmin });
        await tx.audit({
          target: { kind: 'user', id, label: input.username },
          subjectUserId: id,
          changes: firstState({ isAdmin: input.isAdmin, subscriptionTier: tier, proxyLimit }),
        });
        return { userId: id, tier, proxyLimit, version: 1 };
      });
      return response(id);
    },
    repeat: (reference) => response(Number(reference)),
  });
};
