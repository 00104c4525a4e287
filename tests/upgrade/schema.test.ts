import { execFileSync } from 'node:child_process';
import { findProgram } from '@talpa/instance/system-packages';
import { newSchemas } from '@talpa/test-kit/schemas';
import { useStores } from '@talpa/test-kit/stores';
import { expect, it } from 'vitest';
import { schemas } from '../../launcher/stores/schemas.ts';

const stores = useStores();

/** Postgres prints views and bodies of functions differently from version to version: the file is of Debian 12's. */
const printedBy = / 15\./;
const pgDump = findProgram('pg_dump') ?? 'pg_dump';

/** What Postgres holds of a schema, as statements, without what says who owns it or how it was printed. */
function dumped(url: string, schema: string): string {
  const text = execFileSync(
    pgDump,
    ['--schema-only', '--no-owner', `--schema=${schema}`, `--dbname=${url}`],
    {
      encoding: 'utf8',
    },
  );
  return text
    .replace(/^(--|SET |SELECT pg_catalog|\\).*$/gm, '')
    .replace(/ AS IDENTITY \([^)]*\)/g, ' AS IDENTITY')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

it('migrations and functions make the schemas that schema.sql shows', async ({ skip }) => {
  if (!printedBy.test(execFileSync(pgDump, ['--version'], { encoding: 'utf8' })))
    skip('pg_dump is not of Postgres 15');
  const urlOf = await newSchemas(stores, ...schemas.map(({ service }) => service));
  const parts = schemas.map(({ schema, service }) => dumped(urlOf(service, 'owner'), schema));
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('schema.sql');
});
