import { spawn } from 'node:child_process';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { claimHome } from '@talpa/instance/home';
import { ensurePrograms, findProgram, type Program } from '@talpa/instance/system-packages';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { startPostgres } from '../../launcher/stores/postgres.ts';
import { schemas } from '../../launcher/stores/schemas.ts';
import type { Instance } from '../instance.ts';

/**
 * Gives the URL of the instance's database, starting our own Postgres for as long as `work` takes where it does
 * not run.
 */
export async function withDatabase<T>(
  instance: Instance,
  log: LogLine,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (process.env.DATABASE_URL || instance.isRunning()) return work(instance.databaseUrl());
  await ensurePrograms(['postgres'], log);
  const release = await claimHome(instance.folders, log);
  try {
    const { running, url } = await startPostgres(instance.folders, instance.secrets(), {}, log);
    try {
      return await work(url);
    } finally {
      await running.stop();
    }
  } finally {
    release();
  }
}

/** Runs statements as the role that may do everything. */
export async function asAdmin<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, 1);
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Writes every schema of ours, as it is at one moment, into a file. */
export async function dumpDatabase(url: string, file: string, log: LogLine): Promise<void> {
  const wanted = schemas.map(({ schema }) => `--schema=${schema}`);
  await runTool('pg_dump', url, ['--format=custom', `--file=${file}`, ...wanted], log);
}

/** Reads a dump to its end. @throws CliError when it is damaged */
export async function checkDump(file: string, log: LogLine): Promise<void> {
  await runTool('pg_restore', null, ['--file=/dev/null', file], log);
}

/** Brings every schema of a dump back, all or nothing. They must not exist. */
export async function restoreDatabase(url: string, file: string, log: LogLine): Promise<void> {
  await runTool('pg_restore', url, ['--single-transaction', '--exit-on-error', file], log);
}

/** The password travels in the environment: every user can see arguments. */
async function runTool(name: Program, url: string | null, args: string[], log: LogLine): Promise<void> {
  await ensurePrograms([name], log);
  const open = url === null ? null : new URL(url);
  const password = open?.password ?? '';
  if (open) open.password = '';
  const child = spawn(findProgram(name) ?? name, [...(open ? [`--dbname=${open.href}`] : []), ...args], {
    env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new CliError(`${name} failed: ${said.trim().split('\n').slice(0, 5).join('\n')}`);
}
