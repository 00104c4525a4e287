import { jetstreamManager } from '@nats-io/jetstream';
import { readSecrets } from '@talpa/instance/secrets';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { setUpDatabase } from '@talpa/service-kit/database/setup';
import { temporaryHome } from '@talpa/test-kit/home';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it } from 'vitest';
import { setUp } from './set-up.ts';
import { schemaSetups } from './stores/schemas.ts';

const test = useStores();

it('an older version that is refused the database changes no stream either', async () => {
  const secrets = readSecrets(temporaryHome());
  const url = await test.newDatabase();
  await setUpDatabase(url, schemaSetups(secrets));
  const admin = openDatabase(url, 1);
  await admin`insert into billing.migrations (name, checksum) values ('billing/9999_later.sql', '')`;
  await admin.end();
  const natsUrl = test.stores.natsUrl('operator');
  await expect(setUp(url, natsUrl, secrets, () => {})).rejects.toThrow('made by a newer version');
  const bus = await openBus(natsUrl, 'operator');
  const streams = await (await jetstreamManager(streamsOf(bus))).streams.names().next();
  await bus.close();
  expect(streams).toEqual([]);
});
