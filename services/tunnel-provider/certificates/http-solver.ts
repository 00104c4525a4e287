import type { Sql } from '@talpa/service-kit/database/sql';
import type { Solver } from './solver.ts';

/** HTTP-01: every edge answers with what stands in the table, on port 80 of the name. */
export function createHttpSolver(sql: Sql): Solver {
  return {
    type: 'http-01',
    present: async ({ host, token, answer }) => {
      // What a process that was killed has left behind.
      await sql`delete from acme_challenges where created_at < now() - interval '1 hour'`;
      await sql`
        insert into acme_challenges (token, host, key_authorization) values (${token}, ${host}, ${answer})
        on conflict (token) do nothing`;
    },
    remove: async ({ token }) => {
      await sql`delete from acme_challenges where token = ${token}`;
    },
  };
}
