import { randomUUID } from 'node:crypto';
import type { InternalCalls, ResponseOf } from '@talpa/contracts';
import { callInternal, deadlineOf } from '@talpa/service-kit/bus/request';
import type { Sql } from '@talpa/service-kit/database/sql';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { projectUser } from './project-users.ts';

const retryMs = 2_000;
const call = 'auth.readUsers';

/** Asks auth once for the users whose names an older version has not kept: their snapshots have passed already. */
export function learnNames(base: ServiceBase, lifecycle: Lifecycle): void {
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const learn = async () => {
    if (!(await lacksNames(base.sql))) return;
    for (let after: number | null = 0; after !== null && !stopping; ) {
      const info = {
        requestId: randomUUID(),
        language: 'de',
        deadlineAt: Date.now() + deadlineOf(call),
      } as const;
      const page: ResponseOf<InternalCalls[typeof call]> = await callInternal(base.nc, call, { after }, info);
      for (const user of page.snapshots) await base.transaction((tx) => projectUser(tx, user));
      after = page.next;
    }
  };
  const turn = () =>
    learn().catch((error: unknown) => {
      lifecycle.log.debug({ err: error }, 'the names of users could not be asked for');
      if (!stopping) timer = setTimeout(() => void turn(), retryMs);
    });
  void turn();
  lifecycle.onStop('names', () => {
    stopping = true;
    clearTimeout(timer);
  });
}

async function lacksNames(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from quotas where username is null and not closed limit 1`;
  return rows.length > 0;
}
