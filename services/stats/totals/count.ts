import type { EventOf } from '@talpa/contracts';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { keepCopy } from '@talpa/service-kit/events/copy';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { keepPerson } from '../audit/people.ts';
import { keepSnapshot } from '../history/states.ts';

/** Counts users and proxies from their snapshots, and keeps users' names for the audit trail, proxies' owners and states for history. */
export function countEvents(base: ServiceBase, lifecycle: Lifecycle): void {
  keepCopy(
    'stats',
    'user',
    async (tx, user) => {
      await keepPerson(tx, user);
      await count(tx, countedUser(user));
    },
    base,
    lifecycle,
  );
  keepCopy(
    'stats',
    'proxy',
    async (tx, proxy) => {
      await keepSnapshot(tx, proxy);
      await count(tx, countedProxy(proxy));
    },
    base,
    lifecycle,
  );
}

export interface Counted {
  readonly kind: 'user' | 'proxy';
  readonly id: string;
  readonly version: number;
  readonly present: boolean;
  readonly active: boolean;
}

/** What is counted of a user. */
export const countedUser = (user: EventOf<'user'>): Counted => ({
  kind: 'user',
  id: String(user.id),
  version: user.version,
  present: !user.deleted,
  active: false,
});

/** What is counted of a proxy. */
export const countedProxy = (proxy: EventOf<'proxy'>): Counted => ({
  kind: 'proxy',
  id: proxy.id,
  version: proxy.version,
  present: !proxy.deleted,
  active: !proxy.deleted && proxy.status === 'active',
});

/** Moves the totals by the difference to what was known; older or repeated snapshots change nothing. */
export async function count(tx: Tx, next: Counted): Promise<void> {
  await tx.sql`
    insert into counted (kind, id, version, present, active)
    values (${next.kind}, ${next.id}, 0, false, false) on conflict do nothing`;
  const [known] = await tx.sql<Counted[]>`
    select * from counted where kind = ${next.kind} and id = ${next.id} for update`;
  if (!known || known.version >= next.version) return;
  await tx.sql`
    update counted set
      version = ${next.version}, present = ${next.present}, active = ${next.active}, changed_at = now()
    where kind = ${next.kind} and id = ${next.id}`;
  const changes = [
    [next.kind === 'user' ? 'users' : 'proxies', Number(next.present) - Number(known.present)],
    ['activeProxies', Number(next.active) - Number(known.active)],
  ] as const;
  for (const [name, difference] of changes) {
    if (difference === 0) continue;
    await tx.sql`update totals set value = value + ${difference} where name = ${name}`;
    tx.touchEverybody();
  }
}
