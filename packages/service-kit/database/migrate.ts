import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Sql, TransactionSql } from './sql.ts';

interface SqlFile {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** @param prefix what its files' names begin with in the database */
async function readFiles(folder: string, prefix: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name: prefix + name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

const readMigrations = (folder: string) => readFiles(folder, `${basename(join(folder, '..'))}/`);

/** The functions and their triggers that stand beside the migrations, a file each. */
async function readFunctions(migrations: string): Promise<SqlFile[]> {
  const folder = join(migrations, '../functions');
  return existsSync(folder) ? await readFiles(folder, functionPrefix) : [];
}
const functionPrefix = 'functions/';

/**
 * Brings a schema to the present: each migration of the folders once, in order, then each function that is not what it was when it was
 * applied last; all in one transaction under a lock, so that runs at the same time wait for each other.
 * @returns the names of what was applied now.
 * @throws Error when an applied migration was changed since, or the database knows a migration we do not.
 */
export async function migrate(owner: Sql, schema: string, folders: readonly string[]): Promise<string[]> {
  const migrations = (await Promise.all(folders.map(readMigrations))).flat();
  const functions = (await Promise.all(folders.map(readFunctions))).flat();
  return owner.begin(async (tx) => {
    await tx`select ${tx(schema)}.lock_transaction('migrate')`;
    const applied = await readApplied(tx, schema);
    refuseSurprises(schema, migrations, applied);
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const { text } of missing) await tx.unsafe(text);
    const changed = functions.filter(({ name, checksum }) => applied.get(name) !== checksum);
    // Functions call each other: Postgres can check their bodies when all are there.
    for (const check of ['off', 'on']) {
      await tx.unsafe(`set local check_function_bodies = ${check}`);
      for (const { text } of changed) await tx.unsafe(text);
    }
    const files = [...missing, ...changed];
    for (const { name, checksum } of files)
      await tx`insert into ${tx(schema)}.migrations (name, checksum) values (${name}, ${checksum})
        on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`;
    return files.map(({ name }) => name);
  }) as Promise<string[]>;
}

async function readApplied(tx: TransactionSql, schema: string): Promise<Map<string, string>> {
  await tx`create table if not exists ${tx(schema)}.migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
  const rows = await tx<{ name: string; checksum: string }[]>`
    select name, checksum from ${tx(schema)}.migrations`;
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function refuseSurprises(schema: string, known: SqlFile[], applied: Map<string, string>): void {
  for (const [name, checksum] of applied) {
    if (name.startsWith(functionPrefix)) continue;
    const migration = known.find((candidate) => candidate.name === name);
    if (!migration)
      throw new Error(`The schema ${schema} was made by a newer version: it has ${name}. Update Talpa.`);
    if (migration.checksum !== checksum)
      throw new Error(`The migration ${name} was changed after it had been applied to ${schema}.`);
  }
}
