import { join } from 'node:path';
import { roleUrl, setUpDatabase } from '@talpa/service-kit/database/setup';
import { root } from '../../launcher/paths.ts';
import { schemas } from '../../launcher/stores/schemas.ts';
import type { TestStores } from './stores.ts';

type Schema = (typeof schemas)[number]['schema'];

const password = 'test';

/** Makes schemas in a new database and gives the database's URL for each one's roles. */
export async function newSchemas<N extends Schema>(stores: TestStores, ...names: N[]) {
  const adminUrl = await stores.newDatabase();
  const setups = schemas
    .filter(({ schema }) => (names as Schema[]).includes(schema))
    .map(({ schema, service }) => ({
      schema,
      folder: join(root, 'services', service, 'migrations'),
      ownerPassword: password,
      appPassword: password,
    }));
  await setUpDatabase(adminUrl, setups);
  return (schema: N, role: 'app' | 'owner' = 'app') => roleUrl(adminUrl, `${schema}_${role}`, password);
}
