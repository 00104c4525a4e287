import type { Sql } from '@talpa/service-kit/database/sql';
import type { EdgeChallenge } from './problems.ts';
import type { Solver } from './solver.ts';

/** HTTP-01 and TLS-ALPN-01: every edge answers with what stands in the table, on port 80 or 443 of the name. */
export function createEdgeSolver(sql: Sql, type: EdgeChallenge): Solver {
  return {
    type,
    present: async ({ host, token, answer }) => {
      // What a process that was killed has left behind.
      await sql`delete from acme_challenges where created_at < now() - interval '1 hour'`;
      await sql`
        insert into acme_challenges (token, host, type, key_authorization) values (${token}, ${host}, ${type}, ${answer})
        on conflict (token) do nothing`;
    },
    remove: async ({ token }) => {
      await sql`delete from acme_challenges where token = ${token}`;
    },
  };
}
