import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Sql, TransactionSql } from './sql.ts';

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const set = basename(join(folder, '..'));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name: `${set}/${name}`, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings a schema to the present: each file of the folders once, in order, all in one transaction under
 * a lock, so that runs at the same time wait for each other.
 * @returns the names of what was applied now.
 * @throws Error when an applied file was changed since, or the database knows a file we do not.
 */
export async function migrate(owner: Sql, schema: string, folders: readonly string[]): Promise<string[]> {
  const migrations = (await Promise.all(folders.map(readMigrations))).flat();
  return owner.begin(async (tx) => {
    await tx`select ${tx(schema)}.lock_transaction('migrate')`;
    const applied = await readApplied(tx, schema);
    refuseSurprises(schema, migrations, applied);
    const missing = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of missing) {
      await tx.unsafe(migration.text);
      await tx`insert into ${tx(schema)}.migrations (name, checksum) values (${migration.name}, ${migration.checksum})`;
    }
    return missing.map((migration) => migration.name);
  }) as Promise<string[]>;
}

async function readApplied(tx: TransactionSql, schema: string): Promise<Map<string, string>> {
  await tx`create table if not exists ${tx(schema)}.migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
  const rows = await tx<{ name: string; checksum: string }[]>`
    select name, checksum from ${tx(schema)}.migrations`;
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function refuseSurprises(schema: string, known: Migration[], applied: Map<string, string>): void {
  for (const [name, checksum] of applied) {
    const migration = known.find((candidate) => candidate.name === name);
    if (!migration)
      throw new Error(`The schema ${schema} was made by a newer version: it has ${name}. Update Talpa.`);
    if (migration.checksum !== checksum)
      throw new Error(`The migration ${name} was changed after it had been applied to ${schema}.`);
  }
}
