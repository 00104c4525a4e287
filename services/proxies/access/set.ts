import type { AccessPolicy, InputOf, Routes, Verb } from '@talpa/contracts';
import { AppError, invalidField } from '@talpa/service-kit/app-error';
import { changesBetween, refuseEditConflict } from '@talpa/service-kit/database/changes';
import type { ProxiesContext } from '../context.ts';
import { auditOf } from '../proxy/audited.ts';
import { findProxy, lockProxy } from '../proxy/find.ts';
import { saveProxy } from '../proxy/row.ts';
import { refuseSuspended } from '../proxy/suspension.ts';
import { auditedPolicy } from './audited.ts';
import { refuseNotEnforced } from './enforced.ts';
import { publicAccess } from './get.ts';
import { readPolicy, type StoredPolicy, savePolicy } from './row.ts';

type Route = Routes['PUT /api/tunnel-configs/:id/access'];
type Secrets = Pick<InputOf<Route>, 'pin' | 'password'>;

/** Sets who may visit a proxy: for new requests, and for what visitors have open. */
export const setAccess: Verb<Route, ProxiesContext> = async (context, input) => {
  const { actor, settings } = context;
  const { id, policy, expected } = input;
  await findProxy(context.reads, id, context);
  refuseNotEnforced(policy, settings);
  const isWall = policy.kind === 'wall';
  const hashes = {
    pin: isWall && input.pin ? await context.passwords.hash(input.pin) : null,
    password: isWall && input.password ? await context.passwords.hash(input.password) : null,
  };
  const stored = await context.transaction(async (tx) => {
    const row = await lockProxy(tx, id, context);
    refuseSuspended(row, actor);
    const before = await readPolicy(tx.sql, row.uuid);
    refuseEditConflict(expected && { policy: JSON.stringify(expected) }, {
      policy: JSON.stringify(before.policy),
    });
    const next: StoredPolicy = {
      policy,
      pinHash: hashes.pin ?? before.pinHash,
      passwordHash: hashes.password ?? before.passwordHash,
    };
    refuseUnpassable(next);
    await savePolicy(tx, row.uuid, next);
    // Its pages follow.
    await saveProxy(tx, row);
    await tx.audit({ ...auditOf(row), changes: changesOf(before.policy, policy, input) });
    return next;
  });
  return publicAccess(context, stored);
};

/** A method without a secret, or without an address, would let nobody in. @throws AppError `invalid_input` */
function refuseUnpassable({ policy, pinHash, passwordHash }: StoredPolicy): void {
  if (policy.kind !== 'wall') return;
  if (policy.methods.includes('pin') && pinHash === null) throw invalidField('pin', 'wallPin');
  if (policy.methods.includes('password') && passwordHash === null)
    throw invalidField('password', 'wallPassword');
  if (policy.methods.includes('email') && policy.emails.length === 0)
    throw new AppError('invalid_input', { issues: [{ path: ['policy', 'emails'], key: 'wallEmails' }] });
}

/** What the audit trail shows of a change; of secrets only that they are new, of addresses how many there are. */
function changesOf(before: AccessPolicy, after: AccessPolicy, { pin, password }: Secrets) {
  return {
    ...(hasOtherEmails(before, after) ? { emails: {} } : {}),
    ...changesBetween(auditedPolicy(before), auditedPolicy(after)),
    ...(pin === undefined ? {} : { pin: {} }),
    ...(password === undefined ? {} : { wallPassword: {} }),
  };
}

function hasOtherEmails(before: AccessPolicy, after: AccessPolicy): boolean {
  const listOf = (policy: AccessPolicy) => (policy.kind === 'wall' ? policy.emails.join(' ') : '');
  return listOf(before) !== listOf(after);
}
