import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from './connect.ts';
import { roleUrl, type SchemaSetup, setUpDatabase } from './setup.ts';

const test = useStores();
const scratch = mkdtempSync(join(tmpdir(), 'talpa-migrations-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A service's share with migrations of its own, in a folder that a test may change. */
function share(schema: string, files: Record<string, string>): SchemaSetup {
  const folder = join(mkdtempSync(join(scratch, 'service-')), schema, 'migrations');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { schema, folder, ownerPassword: 'owner', appPassword: 'app' };
}

const first = { '0001_things.sql': 'create table things (id int primary key)' };
const both = { ...first, '0002_name.sql': "alter table things add name text not null default 'x'" };

describe('migrations', () => {
  it('run once each, however often and however many at the same time', async () => {
    const url = await test.newDatabase();
    const setup = share('one', both);
    const said: string[] = [];
    await Promise.all(
      Array.from({ length: 5 }, () => setUpDatabase(url, [setup], (line) => said.push(line))),
    );
    await setUpDatabase(url, [setup], (line) => said.push(line));
    expect(said.filter((line) => line.includes('0001_things'))).toHaveLength(1);
    expect(said.filter((line) => line.includes('0002_name'))).toHaveLength(1);
  });

  it('leave nothing behind when one of them fails', async () => {
    const url = await test.newDatabase();
    const setup = share('two', { ...first, '0002_bad.sql': 'create table more (id int); select nonsense' });
    await expect(setUpDatabase(url, [setup])).rejects.toThrow('nonsense');
    const owner = openDatabase(roleUrl(url, 'two_owner', 'owner'), 1);
    const tables = await owner`select 1 from pg_tables where schemaname = 'two'`;
    await owner.end();
    expect(tables).toHaveLength(0);
  });

  it('fail no transaction of a process that runs, whose prepared statements return what the tables were', async () => {
    const url = await test.newDatabase();
    const setup = share('five', first);
    await setUpDatabase(url, [setup]);
    const app = openDatabase(roleUrl(url, 'five_app', 'app'), 3);
    const add = (id: number) =>
      app.begin(async (tx) => {
        const before = await tx`select * from things where id < ${id}`;
        const [added] = await tx`insert into things (id) values (${id}) returning *`;
        return { ...added, before: before.length };
      });
    const threeAtOnce = async (from: number) => await Promise.all([add(from), add(from + 1), add(from + 2)]);
    await threeAtOnce(1);
    writeFileSync(join(setup.folder, '0002_name.sql'), both['0002_name.sql']);
    await setUpDatabase(url, [setup]);
    expect(await threeAtOnce(4)).toMatchObject([{ id: 4, name: 'x' }, { id: 5 }, { id: 6, name: 'x' }]);
    expect(await app`select id from things order by id`).toHaveLength(6);
    await app.end();
  });

  it('refuse a file that was changed after it had been applied', async () => {
    const url = await test.newDatabase();
    const setup = share('three', first);
    await setUpDatabase(url, [setup]);
    writeFileSync(join(setup.folder, '0001_things.sql'), 'create table others (id int)');
    await expect(setUpDatabase(url, [setup])).rejects.toThrow('was changed after it had been applied');
  });

  it('refuse a database that a newer version has made', async () => {
    const url = await test.newDatabase();
    const newer = share('four', both);
    await setUpDatabase(url, [newer]);
    const older = share('four', first);
    await expect(setUpDatabase(url, [older])).rejects.toThrow('made by a newer version');
  });
});

describe('functions', () => {
  it('are what their files say, whichever needs which; only a changed one is applied anew', async () => {
    const url = await test.newDatabase();
    const setup = share('seven', first);
    const write = (name: string, body: string) =>
      writeFileSync(
        join(setup.folder, '../functions', `${name}.sql`),
        `create or replace function ${name}() returns int language sql as 'select ${body}'`,
      );
    mkdirSync(join(setup.folder, '../functions'));
    write('outer_one', 'used_by_it() + 1');
    write('used_by_it', 'max(id) from things');
    const applied: string[] = [];
    const setUp = () => setUpDatabase(url, [setup], (line) => applied.push(line.replace(/^.*\//, '')));
    await setUp();
    write('used_by_it', '41');
    applied.length = 0;
    await setUp();
    await setUp();
    expect(applied).toEqual(['used_by_it.sql']);
    write('outer_one', 'nonsense()');
    await expect(setUp()).rejects.toThrow('nonsense() does not exist');
    const app = openDatabase(roleUrl(url, 'seven_app', 'app'), 1);
    expect(await app`select outer_one() as answer`).toEqual([{ answer: 42 }]);
    await app.end();
  });
});

describe('a service’s role', () => {
  it('cannot read another service’s schema, nor change its own tables’ form', async () => {
    const url = await test.newDatabase();
    await setUpDatabase(url, [share('five', first), share('six', first)]);
    const app = openDatabase(roleUrl(url, 'five_app', 'app'), 1);
    await app`insert into things (id) values (1)`;
    await expect(app`select * from six.things`).rejects.toThrow('permission denied');
    await expect(app`drop table things`).rejects.toThrow('must be owner');
    await expect(app`create table mine (id int)`).rejects.toThrow();
    await app.end();
  });
});

describe('a service’s role', () => {
  it('cannot keep others waiting, leave anything outside its schema, or take every connection', async () => {
    const url = await test.newDatabase();
    await setUpDatabase(url, [share('mine', first), share('other', first)]);
    const app = openDatabase(roleUrl(url, 'mine_app', 'app'), 1);
    const rival = openDatabase(roleUrl(url, 'other_app', 'app'), 1);
    try {
      for (const attempt of [
        app`select pg_advisory_lock(1)`,
        app`select pg_try_advisory_xact_lock(1)`,
        app`select lo_create(0)`,
        app`select lo_from_bytea(0, 'x')`,
        app`create temporary table heap (id int)`,
        app`select other.lock_transaction('one')`,
      ])
        await expect(attempt).rejects.toThrow('permission denied');
      const [role] = await app<{ own: number; all: number }[]>`
        select rolconnlimit as own, current_setting('max_connections')::int as all
        from pg_roles where rolname = current_user`;
      expect(role?.own).toBe(Math.max(20, Math.floor(0.4 * (role?.all ?? 0))));

      // The same name in two schemas is two locks; in one schema it is one.
      await app.begin(async (holder) => {
        await holder`select lock_transaction('one')`;
        await rival`select lock_transaction('one')`;
        const second = openDatabase(roleUrl(url, 'mine_app', 'app'), 1);
        await second`set lock_timeout = 1`;
        await expect(second`select lock_transaction('one')`).rejects.toThrow('lock timeout');
        await second.end();
      });
    } finally {
      await app.end();
      await rival.end();
    }
  });
});

// A Postgres that is not ours has roles of others, and stays as it is.
describe.skipIf(process.env.DATABASE_URL)('a service’s role on our own Postgres', () => {
  const own = useStores();

  it('has no database but ours, where others’ locks, large objects and temporary tables are closed', async () => {
    const url = own.stores.adminUrl;
    await setUpDatabase(url, [share('alone', first)]);
    const [known] = await entering(url, 'talpa');
    expect(known).toMatchObject({ database: 'talpa' });
    for (const name of ['postgres', 'template1'])
      await expect(entering(url, name)).rejects.toThrow('permission denied for database');
  });

  it('leaves no settings of its own behind', async () => {
    const url = own.stores.adminUrl;
    const shares = [share('alone', first)];
    await setUpDatabase(url, shares);
    const app = openDatabase(roleUrl(url, 'alone_app', 'app'), 1);
    await app`alter role alone_app set default_transaction_read_only = on`;
    await app`alter role alone_app in database talpa set work_mem = '1GB'`;
    await app.end();
    await setUpDatabase(url, shares);
    const later = openDatabase(roleUrl(url, 'alone_app', 'app'), 1);
    const [found] = await later`
      select current_setting('default_transaction_read_only') as read_only, current_setting('work_mem') as memory,
        current_setting('statement_timeout') as patience`;
    await later.end();
    expect(found).toEqual({ readOnly: 'off', memory: '4MB', patience: '10s' });
  });

  async function entering(url: string, name: string) {
    const inside = new URL(roleUrl(url, 'alone_app', 'app'));
    inside.pathname = `/${name}`;
    const app = openDatabase(inside.href, 1);
    try {
      return await app`select current_database() as database`;
    } finally {
      await app.end();
    }
  }
});
