import type { TransactionSql } from './sql.ts';

/** A captured process may hold this share of the server's connections, and no more. */
const connectionShare = 0.4;
const leastConnections = 20;
/** Migrations and nothing else. */
const ownerConnections = 5;

/** Locks of the whole database, by number: a role that may take one can block every service. */
const advisoryLocks = ['pg_advisory_', 'pg_try_advisory_'];
/** Large objects belong to no schema and count against nobody's. */
const largeObjects = ['lo_create', 'lo_creat', 'lo_from_bytea'];
/** Databases every server has; by default every role may connect and create tables there. */
const standardDatabases = ['postgres', 'template1'];

/**
 * Gives a schema locks of its own: `lock_transaction('name')` waits for the transactions of this schema that hold the
 * same name alone.
 */
export async function makeSchemaLocks(
  admin: TransactionSql,
  schema: string,
  roles: readonly string[],
): Promise<void> {
  for (const [name, lock] of [
    ['lock_transaction', 'pg_advisory_xact_lock'],
    ['lock_transaction_shared', 'pg_advisory_xact_lock_shared'],
  ])
    await admin.unsafe(`
      create or replace function ${schema}.${name}(name text) returns void language sql security definer
        set search_path = pg_catalog as $$ select ${lock}('${schema}'::regnamespace::oid::bigint::int, hashtext(name)) $$;
      revoke all on function ${schema}.${name}(text) from public;
      grant execute on function ${schema}.${name}(text) to ${roles.join(', ')}`);
}

/** Bounds the connections of a schema's roles. */
export async function limitConnections(admin: TransactionSql, owner: string, app: string): Promise<void> {
  const [row] = await admin<{ most: number }[]>`select current_setting('max_connections')::int as most`;
  const most = Math.max(leastConnections, Math.floor((row?.most ?? 0) * connectionShare));
  await admin.unsafe(`alter role ${app} connection limit ${most}`);
  await admin.unsafe(`alter role ${owner} connection limit ${ownerConnections}`);
}

/**
 * Revokes from all roles what Postgres grants to all and no service needs: locks of the whole database, large objects,
 * temporary tables. Only a superuser may take the functions away; another administrator leaves them.
 */
export async function revokePublicRights(admin: TransactionSql): Promise<void> {
  const [here] = await admin<{ database: string; isSuperuser: boolean }[]>`
    select current_database() as database, current_setting('is_superuser')::boolean as is_superuser`;
  await admin.unsafe(`revoke temporary on database "${here?.database}" from public`);
  if (!here?.isSuperuser) return;
  const functions = await admin<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace
      and (proname ^@ any(${admin.array(advisoryLocks, 25)}) or proname = any(${admin.array(largeObjects, 25)}))
      and has_function_privilege('public', oid, 'execute')`;
  for (const { signature } of functions)
    await admin.unsafe(`revoke execute on function ${signature} from public`);
}

/**
 * Closes the databases that come with every server to those who are no superusers, where nobody but the given roles would
 * miss them: on a server that others use too they stay as they are.
 */
export async function closeStandardDatabases(admin: TransactionSql, roles: readonly string[]): Promise<void> {
  const open = await admin<{ name: string }[]>`
    select datname as name from pg_database
    where datname = any(${admin.array(standardDatabases, 25)}) and datname <> current_database()
      and current_setting('is_superuser')::boolean and has_database_privilege('public', oid, 'connect')
      and not exists (
        select 1 from pg_roles
        where rolcanlogin and not rolsuper and rolname <> all(${admin.array([...roles], 25)}))`;
  for (const { name } of open) await admin.unsafe(`revoke connect on database "${name}" from public`);
}
