import { CliError, type LogLine } from '@talpa/instance/cli';
import { counted } from '@talpa/instance/counted';
import type { Secrets } from '@talpa/instance/secrets';
import { setUpStreams } from '@talpa/service-kit/bus/setup';
import { setUpDatabase } from '@talpa/service-kit/database/setup';
import { readSettings } from '@talpa/service-kit/settings';
import { schemaSetups } from './stores/schemas.ts';

/**
 * Brings roles, schemas, streams and consumers to the present; safe to run twice and at the same time.
 * @param adminUrl a role that may make roles and schemas.
 * @param natsUrl the operator's.
 * @throws CliError when the database refuses
 */
export async function setUp(
  adminUrl: string,
  natsUrl: string,
  secrets: Secrets,
  log: LogLine,
  environment = process.env,
): Promise<void> {
  const { STREAM_REPLICAS } = readSettings(['STREAM_REPLICAS'], environment);
  const applied: string[] = [];
  try {
    await setUpDatabase(adminUrl, schemaSetups(secrets), (name) => applied.push(name));
  } catch (error) {
    throw new CliError(`The database could not be set up: ${error instanceof Error ? error.message : error}`);
  }
  if (applied.length > 0) log(`applied ${counted(applied.length, 'migration')}`);
  await setUpStreams(natsUrl, STREAM_REPLICAS);
}
