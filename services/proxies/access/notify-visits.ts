import { visitsSubject } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { isCurrent } from '../proxy/membership.ts';

/** Changes within so many ms are told together. */
const gatherMs = 500;
const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/**
 * Tells those who may end the visits of a proxy that these have changed. Visits begin and end in the database, at whoever's call: its triggers
 * say so. Every role may notify: it is a hint to look, no more. What is missed while the database is away, pages fetch before long.
 */
export async function notifyOfVisits({ sql, nc }: ServiceBase, lifecycle: Lifecycle): Promise<void> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = async () => {
    timer = undefined;
    const ids = [...changed];
    changed.clear();
    const readers = await sql<{ id: number; userId: number }[]>`
      select id, user_id from proxies where uuid in ${sql(ids)}
      union
      select proxies.id, members.user_id from proxies join members on members.proxy_id = proxies.id
      where uuid in ${sql(ids)} and role = 'manage' and joined_at is not null and ${isCurrent(sql)}`;
    for (const { id, userId } of readers) nc.publish(visitsSubject(userId, id));
  };
  const take = (proxy: string) => {
    if (!isId(proxy)) return;
    changed.add(proxy);
    timer ??= setTimeout(() => {
      tell().catch((error: unknown) =>
        lifecycle.log.warn(
          { err: error },
          'open pages were not notified of changed visits: they show them with their next fetch',
        ),
      );
    }, gatherMs);
  };
  await sql.listen('visits', take);
  lifecycle.onStop('visits', () => clearTimeout(timer));
}
