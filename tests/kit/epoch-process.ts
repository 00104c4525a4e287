import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { createLog } from '@talpa/service-kit/log';
import { beginEpoch } from '../../services/edge/connectors/epoch.ts';

/** Starts a process that holds an edge's epoch and nothing else, to be stopped and killed by a test. */
export async function startEpochProcess(databaseUrl: string, edgeId: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), [databaseUrl, edgeId]);
  await once(child, 'message');
  return child;
}

const [databaseUrl, edgeId] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url) && databaseUrl && edgeId) {
  process.on('disconnect', () => process.exit());
  await beginEpoch(openDatabase(databaseUrl, 2), edgeId, () => {}, createLog('edge', 'fatal'));
  process.send?.('begun');
}
