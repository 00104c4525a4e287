import type { InternalCalls, Verb } from '@talpa/contracts';
import {
  type Owned,
  pageSize,
  publishRowAgain,
  republish as republishAll,
} from '@talpa/service-kit/events/republish';
import type { ProxiesContext } from '../context.ts';
import { type ProxyRow, snapshotOf, stateOf } from '../proxy/row.ts';

const proxies: Owned<'proxy'> = {
  name: 'proxy',
  read: async (sql, { after, limit, lock }) => {
    const rows = await sql<(ProxyRow & { nameOfServer: string })[]>`
      select *, (select name from servers where id = proxies.server_id) as name_of_server from proxies where id > ${after} order by id limit ${limit} ${lock ? sql`for share` : sql``}`;
    return rows.map((row) => ({
      place: row.id,
      snapshot: snapshotOf(row, row.nameOfServer),
      measured: stateOf(row),
    }));
  },
};

/** All rows that others keep projections of. */
export const owned: readonly Owned[] = [proxies];

/** Publishes all rows again. */
export const republish: Verb<InternalCalls['proxies.republish'], ProxiesContext> = async (context) => ({
  count: await context.whileWaiting(republishAll(context, owned)),
});

/** Publishes one row again. */
export const republishRow: Verb<InternalCalls['proxies.republishRow'], ProxiesContext> = async (
  context,
  { id },
) => {
  const [row] = await context.sql<{ id: number }[]>`select id from proxies where uuid::text = ${id}`;
  return { published: row !== undefined && (await publishRowAgain(context, owned, row.id)) };
};

/** A page of the proxies that are there, or are being removed. */
export const readProxies: Verb<InternalCalls['proxies.readProxies'], ProxiesContext> = async (
  { sql },
  { after },
) => {
  const rows = await proxies.read(sql, { after, limit: pageSize, lock: false });
  const next = rows.length < pageSize ? null : (rows.at(-1)?.place ?? null);
  return { snapshots: rows.map(({ snapshot }) => snapshot), next };
};
