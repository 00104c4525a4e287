import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { ensureSchemas, roleUrl, schemaOf, setUpDatabase } from '@talpa/service-kit/database/setup';
import { schemas } from '../../launcher/stores/schemas.ts';
import type { TestStores } from './stores.ts';

type Service = (typeof schemas)[number]['service'];

const password = 'test';

/** Makes these services' schemas in a new database and gives the database's URL for each one's roles. */
export async function newSchemas<N extends Service>(stores: TestStores, ...names: N[]) {
  const adminUrl = await stores.newDatabase();
  const wanted: readonly Service[] = names;
  // Proxies grants rights to the edge, which reads the policies of proxies.
  const isWith = (service: Service) => service === 'proxies' && wanted.includes('edge');
  const setups = schemas.map(({ schema, service }) => ({
    ...{ schema, service, ownerPassword: password, appPassword: password },
    folder: join(root, 'services', service, 'migrations'),
  }));
  await ensureSchemas(
    adminUrl,
    setups.filter(({ service }) => service === 'edge'),
  );
  await setUpDatabase(
    adminUrl,
    setups.filter(({ service }) => wanted.includes(service) || isWith(service)),
  );
  return (service: N, role: 'app' | 'owner' = 'app') =>
    roleUrl(adminUrl, `${schemaOf(service)}_${role}`, password);
}
