import { type ChildProcess, execFile } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { endProcess, isRunning, killTree, startChild } from '@talpa/instance/child';
import { inheritedByStores } from '@talpa/instance/inherited';
import type { HomeFolders } from '@talpa/instance/paths';
import { findProgram } from '@talpa/instance/system-packages';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { postgresUser } from '../../../launcher/stores/postgres-folders.ts';

const run = promisify(execFile);

export const superuser = 'talpa';

/** What the servers of a cluster have in common. */
export interface PostgresPlan {
  readonly folders: HomeFolders;
  readonly password: string;
  /** What a commit waits for, as `synchronous_standby_names`. */
  readonly synchronous: string;
}

/** One Postgres server with a folder of its own; it is started, ended and filled by the test that controls the cluster. */
export class PostgresNode {
  readonly name: string;
  readonly port: number;
  private readonly plan: PostgresPlan;
  private readonly data: string;
  private readonly bin: string;
  private readonly user = postgresUser();
  private child: ChildProcess | null = null;

  constructor(name: string, port: number, plan: PostgresPlan) {
    const program = findProgram('postgres');
    if (!program) throw new Error('postgres is not installed');
    this.name = name;
    this.port = port;
    this.plan = plan;
    this.bin = dirname(program);
    this.data = join(plan.folders.home, name);
  }

  pid(): number | null {
    return this.child && isRunning(this.child) ? (this.child.pid ?? null) : null;
  }

  /** Makes an empty server in its folder. */
  async make(): Promise<void> {
    this.emptyFolder();
    const file = join(this.plan.folders.home, `${this.name}.password`);
    writeFileSync(file, this.plan.password, { mode: 0o600 });
    if (this.user) chownSync(file, this.user.uid, this.user.gid);
    const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    await this.execute('initdb', ['-D', this.data, '-U', superuser, `--pwfile=${file}`, ...options]);
    rmSync(file);
  }

  /** Fills its folder with what the primary has, as its standby. @param port where it reaches the primary */
  async copyFrom(port: number): Promise<void> {
    this.emptyFolder();
    const source = `host=127.0.0.1 port=${port} user=${superuser} password=${this.plan.password}`;
    await this.execute('pg_basebackup', ['-D', this.data, '-d', source, '-R', '-c', 'fast', '--no-sync']);
  }

  start(): void {
    const { folders, synchronous } = this.plan;
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      cluster_name: this.name,
      max_connections: 250,
      shared_buffers: '32MB',
      synchronous_standby_names: synchronous,
      // As CloudNativePG has them.
      wal_sender_timeout: '5s',
      wal_receiver_timeout: '5s',
      wal_retrieve_retry_interval: '500ms',
      wal_keep_size: '256MB',
      fsync: 'off',
      full_page_writes: 'off',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const file = join(this.bin, 'postgres');
    this.child = startChild(
      {
        name: this.name,
        file,
        args: ['-D', this.data, ...options],
        cwd: this.data,
        ...(this.user ? { user: this.user } : {}),
      },
      folders,
    );
  }

  /** Ends it and all that it has started, whatever it is doing. */
  async kill(): Promise<void> {
    const pid = this.pid();
    if (pid) await killTree(pid);
  }

  async stop(): Promise<void> {
    const pid = this.pid();
    if (pid) await endProcess(pid, 'SIGINT');
  }

  /** Asks it something, at its own port or through a link. One that is silent for longer than the limit is given up. */
  async ask<T>(question: (sql: Sql) => Promise<T>, port = this.port, limitMs = 1_000): Promise<T> {
    const sql = openDatabase(this.url(port, 'postgres'), 1, false);
    const giveUp = setTimeout(() => void sql.end({ timeout: 0 }).catch(() => {}), limitMs);
    try {
      return await question(sql);
    } finally {
      clearTimeout(giveUp);
      await sql.end({ timeout: 0 });
    }
  }

  url(port: number, database: string): string {
    return `postgres://${superuser}:${this.plan.password}@127.0.0.1:${port}/${database}`;
  }

  private emptyFolder(): void {
    rmSync(this.data, { recursive: true, force: true });
    mkdirSync(this.data, { mode: 0o700 });
    if (this.user) chownSync(this.data, this.user.uid, this.user.gid);
  }

  private async execute(program: string, args: readonly string[]): Promise<void> {
    const env = inheritedByStores(process.env);
    await run(join(this.bin, program), [...args], { cwd: '/', env, ...(this.user ?? {}) });
  }
}
