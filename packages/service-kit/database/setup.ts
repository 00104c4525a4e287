import { fileURLToPath } from 'node:url';
import { openDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { closeStandardDatabases, limitConnections, makeSchemaLocks, revokePublicRights } from './narrow.ts';
import type { Sql, TransactionSql } from './sql.ts';

/** A process's schema: its name, which has no hyphen because Postgres would want quotes around it everywhere. */
export const schemaOf = (process: string) => process.replaceAll('-', '_');

/** One service's share of the database. */
export interface SchemaSetup {
  readonly schema: string;
  /** The folder of its `*.sql` migrations. */
  readonly folder: string;
  readonly ownerPassword: string;
  readonly appPassword: string;
}

const kitMigrations = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Makes schemas and roles where they are missing and migrates each schema as its owner. Safe to run twice
 * and at the same time.
 * @param adminUrl a role that may create roles and schemas in the database it names.
 * @param log writes each applied migration.
 */
export async function setUpDatabase(
  adminUrl: string,
  setups: readonly SchemaSetup[],
  log: (line: string) => void = () => {},
): Promise<void> {
  await ensureSchemas(adminUrl, setups);
  for (const setup of setups) {
    const owner = openDatabase(roleUrl(adminUrl, `${setup.schema}_owner`, setup.ownerPassword), 1);
    try {
      const applied = await migrate(owner, setup.schema, [kitMigrations, setup.folder]);
      for (const name of applied) log(`${setup.schema}: ${name}`);
    } finally {
      await owner.end({ timeout: 5 });
    }
  }
}

/** Makes schemas and roles where they are missing, and brings rights and passwords up to date. */
export async function ensureSchemas(adminUrl: string, setups: readonly SchemaSetup[]): Promise<void> {
  const admin = openDatabase(adminUrl, 1);
  try {
    await admin.begin(async (tx) => {
      await alone(tx);
      // Searching texts; a trusted extension, part of every Postgres.
      await tx`create extension if not exists pg_trgm with schema public`;
    });
    for (const setup of setups) await ensureSchema(admin, setup);
    await admin.begin(async (tx) => {
      await alone(tx);
      await revokePublicRights(tx);
      const roles = setups.flatMap(({ schema }) => [`${schema}_owner`, `${schema}_app`]);
      await closeStandardDatabases(tx, roles);
    });
  } finally {
    await admin.end({ timeout: 5 });
  }
}

/** The same database, seen by another role. */
export function roleUrl(url: string, role: string, password: string): string {
  const parsed = new URL(url);
  parsed.username = role;
  parsed.password = password;
  return parsed.href;
}

/** Several processes may set up at once: one after the other. */
const alone = (tx: TransactionSql) => tx`select pg_advisory_xact_lock(hashtext('talpa set-up'))`;

async function ensureSchema(admin: Sql, setup: SchemaSetup): Promise<void> {
  const { schema } = setup;
  const owner = `${schema}_owner`;
  const app = `${schema}_app`;
  await admin.begin(async (tx) => {
    await alone(tx);
    await ensureRole(tx, owner, setup.ownerPassword);
    await ensureRole(tx, app, setup.appPassword);
    const [{ database } = { database: '' }] = await tx<
      { database: string }[]
    >`select current_database() as database`;
    // Creating a schema for another role asks for membership, except of superusers.
    await tx.unsafe(`grant ${owner} to current_user`);
    await tx.unsafe(`create schema if not exists ${schema} authorization ${owner}`);
    await tx.unsafe(`grant usage on schema ${schema} to ${app}`);
    await makeSchemaLocks(tx, schema, [owner, app]);
    await limitConnections(tx, owner, app);
    for (const role of [owner, app]) {
      // A captured process can change its role's settings. They would remain after the process is trusted again.
      for (const where of ['', ` in database "${database}"`])
        await tx.unsafe(`alter role ${role}${where} reset all`);
      await tx.unsafe(`alter role ${role} in database "${database}" set search_path = ${schema}, public`);
    }
    await tx.unsafe(`alter role ${app} in database "${database}" set statement_timeout = '10s'`);
    await tx.unsafe(
      `alter role ${app} in database "${database}" set idle_in_transaction_session_timeout = '15s'`,
    );
    // Default privileges follow the role that creates: the owner.
    await tx.unsafe(
      `alter default privileges for role ${owner} in schema ${schema} grant select, insert, update, delete on tables to ${app}`,
    );
    await tx.unsafe(
      `alter default privileges for role ${owner} in schema ${schema} grant usage, select on sequences to ${app}`,
    );
  });
}

async function ensureRole(tx: TransactionSql, role: string, password: string): Promise<void> {
  const [known] = await tx`select 1 from pg_roles where rolname = ${role}`;
  const literal = password.replaceAll("'", "''");
  await tx.unsafe(`${known ? 'alter' : 'create'} role ${role} login password '${literal}'`);
}
