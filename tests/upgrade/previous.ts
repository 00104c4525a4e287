import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { migrate } from '@talpa/service-kit/database/migrate';
import { ensureSchemas, roleUrl, type SchemaSetup } from '@talpa/service-kit/database/setup';
import released from './released.json' with { type: 'json' };

/** The migrations of the last release, as `<folder>/<file>`, with what each file is. */
const releasedFiles: Readonly<Record<string, string>> = released;
const kit = 'service-kit';
/** Functions that the last release did not have: they need later tables. */
const laterFunctions = ['proxy_paused.sql', 'server_follows.sql', 'server_left.sql', 'server_of_proxy.sql'];

const sourceOf = (folder: string) =>
  join(root, folder === kit ? 'packages' : 'services', folder, 'migrations');

/** Released migrations that are no longer what they were: databases out there have been made by them. */
export function changedReleases(): string[] {
  return Object.entries(releasedFiles).flatMap(([path, checksum]) => {
    const [folder = '', file = ''] = path.split('/');
    const text = readFileSync(join(sourceOf(folder), file), 'utf8');
    return createHash('sha256').update(text).digest('hex') === checksum ? [] : [path];
  });
}

/** Sets a database up as the last release did. @param scratch a folder for copies of its migrations */
export async function setUpPrevious(
  adminUrl: string,
  setups: readonly SchemaSetup[],
  scratch: string,
): Promise<void> {
  await ensureSchemas(adminUrl, setups);
  const copyOf = (folder: string) => {
    const target = join(scratch, folder, 'migrations');
    mkdirSync(target, { recursive: true });
    for (const path of Object.keys(releasedFiles))
      if (path.startsWith(`${folder}/`))
        cpSync(join(sourceOf(folder), basename(path)), join(target, basename(path)));
    // Functions are replaced whole: what they were does not matter afterwards.
    const functions = join(sourceOf(folder), '../functions');
    if (existsSync(functions))
      cpSync(functions, join(target, '../functions'), {
        recursive: true,
        filter: (path) => !laterFunctions.includes(basename(path)),
      });
    return target;
  };
  for (const { schema, folder, ownerPassword } of setups) {
    const owner = openDatabase(roleUrl(adminUrl, `${schema}_owner`, ownerPassword), 1);
    try {
      await migrate(owner, schema, [copyOf(kit), copyOf(basename(join(folder, '..')))]);
    } finally {
      await owner.end({ timeout: 5 });
    }
  }
}

/** The tables of a database that hold nothing, as `schema.table`. */
export async function emptyTables(adminUrl: string, schemas: readonly string[]): Promise<string[]> {
  const sql = openDatabase(adminUrl, 1);
  try {
    const tables = await sql<{ name: string }[]>`
      select schemaname || '.' || tablename as name from pg_tables where schemaname in ${sql([...schemas])}`;
    const empty: string[] = [];
    for (const { name } of tables)
      if ((await sql.unsafe(`select 1 from ${name} limit 1`)).length === 0) empty.push(name);
    return empty;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
