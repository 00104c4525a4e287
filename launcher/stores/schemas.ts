import { join } from 'node:path';
import type { SchemaSetup } from '@talpa/service-kit/database/setup';
import { root } from '../paths.ts';
import type { Secrets } from '../secrets.ts';

/** Every schema and the service folder whose migrations make it. */
export const schemas = [
  { schema: 'auth', service: 'auth' },
  { schema: 'billing', service: 'billing' },
  { schema: 'proxies', service: 'proxies' },
  { schema: 'stats', service: 'stats' },
  { schema: 'worker', service: 'tunnel-worker' },
  { schema: 'provider', service: 'tunnel-provider' },
  { schema: 'edge', service: 'edge' },
] as const;

/** What each schema is made from, with its roles' passwords. */
export function schemaSetups(secrets: Secrets): SchemaSetup[] {
  return schemas.map(({ schema, service }) => ({
    schema,
    folder: join(root, 'services', service, 'migrations'),
    ownerPassword: secrets.storePassword(`${schema}_owner`),
    appPassword: secrets.storePassword(`${schema}_app`),
  }));
}
