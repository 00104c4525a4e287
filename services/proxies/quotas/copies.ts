import { keepCopy } from '@talpa/service-kit/events/copy';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { removeProxy } from '../proxies/delete.ts';
import type { ProxyRow } from '../proxies/row.ts';

/** Keeps the copy of billing's subscriptions that the quota is enforced with. */
export function keepEntitlements(base: ServiceBase, lifecycle: Lifecycle): void {
  keepCopy(
    'proxies',
    'subscription',
    async (tx, { id, tier, proxyLimit, expiresAt, version }) => {
      await tx.sql`
        insert into quotas (user_id, tier, proxy_limit, expires_at, version)
        values (${id}, ${tier}, ${proxyLimit}, ${expiresAt}, ${version})
        on conflict (user_id) do update set
          tier = excluded.tier, proxy_limit = excluded.proxy_limit, expires_at = excluded.expires_at,
          version = excluded.version
        where quotas.version < excluded.version`;
      tx.touch(id);
    },
    base,
    lifecycle,
  );
}

/** Removes what a deleted user had, and lets him create nothing more. */
export function closeWithUsers(base: ServiceBase, lifecycle: Lifecycle): void {
  keepCopy(
    'proxies',
    'user',
    async (tx, user) => {
      if (!user.deleted) return;
      await tx.sql`
        insert into quotas (user_id, closed) values (${user.id}, true)
        on conflict (user_id) do update set closed = true`;
      const rows = await tx.sql<ProxyRow[]>`
        select * from proxies where user_id = ${user.id} and removed_at is null order by id for update`;
      for (const row of rows) await removeProxy(tx, row);
    },
    base,
    lifecycle,
  );
}
