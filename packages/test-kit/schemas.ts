import { join } from 'node:path';
import { roleUrl, schemaOf, setUpDatabase } from '@talpa/service-kit/database/setup';
import { root } from '../../launcher/paths.ts';
import { schemas } from '../../launcher/stores/schemas.ts';
import type { TestStores } from './stores.ts';

type Service = (typeof schemas)[number]['service'];

const password = 'test';

/** Makes these services' schemas in a new database and gives the database's URL for each one's roles. */
export async function newSchemas<N extends Service>(stores: TestStores, ...names: N[]) {
  const adminUrl = await stores.newDatabase();
  const setups = schemas
    .filter(({ service }) => (names as Service[]).includes(service))
    .map(({ schema, service }) => ({
      schema,
      folder: join(root, 'services', service, 'migrations'),
      ownerPassword: password,
      appPassword: password,
    }));
  await setUpDatabase(adminUrl, setups);
  return (service: N, role: 'app' | 'owner' = 'app') =>
    roleUrl(adminUrl, `${schemaOf(service)}_${role}`, password);
}
