import type { DomainContent } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { ProxyRow } from '../proxy/row.ts';
import { type DomainRow, graceEnd } from './row.ts';
import type { CheckedDomain } from './state.ts';

/** A single check may fail because a name server did; the next one is an hour later. */
const failuresUntilNotified = 2;

/**
 * Orders a notification of what a check has found.
 * @param isAwaited by somebody who sees the result: what is right then is news to nobody
 */
export async function notifyOfDomain(
  tx: Tx,
  proxy: Pick<ProxyRow, 'id' | 'serverName'>,
  before: DomainRow,
  after: CheckedDomain,
  isAwaited: boolean,
): Promise<void> {
  const about = { proxyId: proxy.id, proxy: proxy.serverName, domain: before.host };
  const content = contentOf(about, before, after);
  const since = after.failingSince ?? after.verifiedAt;
  if (!content || !since || (isAwaited && content.kind === 'domain_verified')) return;
  await tx.command('notifications.notifyOfDomain', {
    domainId: before.id,
    userId: before.userId,
    content,
    since: since.toISOString(),
  });
}

function contentOf(
  about: Extract<DomainContent, { kind: 'domain_lost' }>['params'],
  before: DomainRow,
  after: CheckedDomain,
): DomainContent | null {
  if (after.state === 'verified') {
    const isNews =
      before.state === 'pending' || (before.state === 'failed' && before.failures >= failuresUntilNotified);
    return isNews ? { kind: 'domain_verified', params: about } : null;
  }
  if (before.served && !after.served) return { kind: 'domain_lost', params: about };
  if (before.state === 'pending' && after.state === 'failed')
    return { kind: 'domain_unverified', params: about };
  if (!after.served || after.failures !== failuresUntilNotified || !after.failingSince) return null;
  return { kind: 'domain_failing', params: { ...about, endsAt: graceEnd(after.failingSince).toISOString() } };
}
