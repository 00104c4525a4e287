import type { AuditAction } from '@talpa/contracts';
import { boundedCache } from '../bounded-cache.ts';
import type { CallContext } from '../bus/call-context.ts';
import { perMember } from '../shared-process.ts';
import type { AuditEntry, Tx } from './transaction.ts';

/** How long one row stands for the same read by the same session or key: a page may make it again and again. */
const sameReadMs = 10 * 60_000;
/** Of a process. What is forgotten is recorded again. */
const recorded = perMember(() => boundedCache<string, true>(10_000, { ttl: sameReadMs }));

interface Reader extends Pick<CallContext, 'actor' | 'audit'> {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Leaves a row in the audit trail for a read that reveals something. It is stored when this resolves: respond after it, so that nothing
 * is revealed without a row.
 */
export async function recordRead({ actor, audit, transaction }: Reader, entry: AuditEntry): Promise<void> {
  const action: AuditAction | null = entry.action ?? audit;
  const reader = actor?.apiKey ? `key ${actor.apiKey.id}` : `session ${actor?.sessionId}`;
  const key = `${action} ${reader} ${entry.target.kind} ${entry.target.id}`;
  if (recorded().has(key)) return;
  await transaction((tx) => tx.audit(entry));
  recorded().set(key, true);
}
