import { join } from 'node:path';
import { serviceNames } from '@talpa/contracts';
import { root } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import { type SchemaSetup, schemaOf } from '@talpa/service-kit/database/setup';

const services = [...serviceNames, 'tunnel-provider', 'edge'] as const;

/** Every schema and the service whose migrations make it. */
export const schemas = services.map((service) => ({ schema: schemaOf(service), service }));

/** What each schema is made from, with its roles' passwords. */
export function schemaSetups(secrets: Secrets): SchemaSetup[] {
  return schemas.map(({ schema, service }) => ({
    schema,
    folder: join(root, 'services', service, 'migrations'),
    ownerPassword: secrets.storePassword(`${schema}_owner`),
    appPassword: secrets.storePassword(`${schema}_app`),
  }));
}
