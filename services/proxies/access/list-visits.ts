import { mostListedVisits, type Routes, type Verb, type Visit } from '@talpa/contracts';
import { networkKey } from '@talpa/service-kit/address-key';
import { agentFamilyOf } from '@talpa/service-kit/agent-family';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';

/** A visit as it is stored, with what is known of its visitor. */
export interface VisitRow {
  readonly id: string;
  readonly methods: Visit['methods'];
  readonly userId: number | null;
  readonly username: string | null;
  readonly email: string | null;
  readonly asAdmin: boolean;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Who has passed the wall of a proxy and is still in, the newest first. */
export const listVisits: Verb<Routes['GET /api/tunnel-configs/:id/visits'], ProxiesContext> = async (
  context,
  { id },
) => {
  const { sql } = context;
  const { uuid } = await findProxy(context.reads, id, context);
  const rows = await sql<(VisitRow & { count: number })[]>`
    select visits.id, methods, visits.user_id, username, email, as_admin, address, user_agent,
      visits.created_at, visits.expires_at, count(*) over () as count
    from visits join access_policies using (proxy_uuid)
      left join users on users.user_id = visits.user_id
    where proxy_uuid = ${uuid} and ${hasPassedAll(sql)}
    order by visits.created_at desc, visits.id limit ${mostListedVisits}`;
  return { visits: rows.map(publicVisit), count: rows[0]?.count ?? 0 };
};

/** Of a visit beside its policy: it lets its visitor in. Who has passed a part of the wall is not in yet. */
export const hasPassedAll = (sql: AnySql) => sql`
  visits.expires_at > now() and policy_version = access_policies.version and (
    methods && '{owner}' or policy->>'require' = 'any'
    or methods @> array(select jsonb_array_elements_text(policy->'methods')))`;

/** A visit as the API shows it: neither its secret nor the whole address. */
export function publicVisit(row: VisitRow): Visit {
  return {
    id: row.id,
    methods: row.methods,
    userId: row.userId,
    username: row.username,
    email: row.email,
    isAdmin: row.asAdmin,
    network: networkKey(row.address),
    agent: agentFamilyOf(row.userAgent),
    createdAt: row.createdAt.toISOString(),
    endsAt: row.expiresAt.toISOString(),
  };
}
