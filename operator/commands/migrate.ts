import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogLine } from '@talpa/instance/cli';
import { reloadServer } from '@talpa/service-kit/bus/setup';
import { setUp } from '../../launcher/set-up.ts';
import { checkOutsideStores } from '../../launcher/stores/outside.ts';
import { natsSystemUrl } from '../containers/stores.ts';
import { command } from './command.ts';

const patienceMs = 60_000;

/** The second of the containers' jobs: roles, schemas, migrations, streams, once the stores answer. */
export const migrate = command({
  usage: 'migrate',
  summary:
    'for containers: update the database and the streams to this version; safe to repeat, and while everything is running',
  run: async ({ instance, log }) => {
    const [database, nats] = [instance.databaseUrl(), instance.natsUrl('operator')];
    await untilStoresAnswer({ database, nats }, log);
    const secrets = instance.secrets();
    // This version's processes may need rights that the running server does not know yet.
    const written = statSync(join(process.env.SECRETS_OUT ?? '/nowhere', 'nats', 'nats.conf'), {
      throwIfNoEntry: false,
    });
    if (written) await reloadServer(natsSystemUrl(secrets), written.mtimeMs);
    await setUp(database, nats, secrets, log);
    log('The database and the streams are up to date.');
  },
});

async function untilStoresAnswer(urls: { database: string; nats: string }, log: LogLine): Promise<void> {
  for (const end = Date.now() + patienceMs; ; await sleep(250)) {
    try {
      return await checkOutsideStores(urls);
    } catch (error) {
      if (Date.now() > end) throw error;
      log(error instanceof Error ? error.message : String(error));
    }
  }
}
