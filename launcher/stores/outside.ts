import { CliError } from '@talpa/instance/cli';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { openDatabase } from '@talpa/service-kit/database/connect';

/** Checks the servers that settings name, so that a wrong address is one clear line at the start. */
export async function checkOutsideStores(urls: { database?: string; nats?: string }): Promise<void> {
  if (urls.database) await named('DATABASE_URL', checkDatabase(urls.database));
  if (urls.nats) await named('NATS_URL', checkNats(urls.nats));
}

async function named(setting: string, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    const reason =
      error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
    throw new CliError(`The server in ${setting} cannot be used: ${reason}`);
  }
}

async function checkDatabase(url: string): Promise<void> {
  const sql = openDatabase(url, 1);
  try {
    const [role] = await sql<{ may: boolean }[]>`
      select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user`;
    if (!role?.may) throw new Error('its role is not allowed to create roles (alter role … createrole)');
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function checkNats(url: string): Promise<void> {
  const nc = await openBus(url, 'operator');
  try {
    await streamsOf(nc).request('$JS.API.INFO', '', { timeout: 2_000 });
  } catch {
    throw new Error('JetStream is not responding; start it with --jetstream');
  } finally {
    await nc.close();
  }
}
