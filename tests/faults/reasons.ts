import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeFolders } from '@talpa/instance/paths';
import type { Cluster } from '@talpa/test-kit/cluster/cluster';
import type { Journal } from './outcome.ts';

/** Of so many calls the logs are searched. */
const searched = 5;
/** pino's number: from a warning on. */
const warning = 40;

/**
 * Why users are not served, for a test that fails: which calls were not, what the logs say of the last of them, and what the
 * parts of the cluster do.
 */
export async function reasons(cluster: Cluster, journal: Journal, since: number): Promise<string[]> {
  const unserved = journal.unserved.filter(({ endedAt }) => endedAt >= since);
  const counts = new Map<string, number>();
  for (const { route, why } of unserved)
    counts.set(`${route}: ${why}`, (counts.get(`${route}: ${why}`) ?? 0) + 1);
  const last = unserved.slice(-searched);
  return [
    `${journal.calm} changes in a row at the end, ${journal.waiting.size} calls open`,
    ...[...counts].map(([what, count]) => `${count} × ${what}`),
    ...last.flatMap(({ endedAt, tookMs, route, why, requestId }) => [
      `${new Date(endedAt).toISOString()} ${route} ended after ${tookMs} ms: ${why}`,
      ...(requestId ? logLines(cluster, requestId) : []),
    ]),
    ...cluster.nodes.flatMap((node) => (node.pid() === null ? [`${node.name} does not run`] : [])),
    ...(await cluster.postgres.report()),
  ];
}

/** What the processes have warned of in a call. */
function logLines({ talpa }: Cluster, requestId: string): string[] {
  const { logs } = homeFolders(talpa.home);
  return readdirSync(logs).flatMap((file) =>
    readFileSync(join(logs, file), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}') && line.includes(requestId))
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ level }) => level >= warning)
      .map(({ msg, err }) => `  ${file}: ${msg}: ${err?.message ?? ''}`),
  );
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message: string };
}
