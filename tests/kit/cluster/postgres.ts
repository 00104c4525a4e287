import { setTimeout as pause } from 'node:timers/promises';
import type { HomeFolders } from '@talpa/instance/paths';
import type { Secrets } from '@talpa/instance/secrets';
import type { Sql } from '@talpa/service-kit/database/sql';
import { freePorts } from '../ports.ts';
import { until } from '../wait.ts';
import type { Network } from './network.ts';
import { PostgresNode } from './postgres-node.ts';

export interface PostgresCluster {
  readonly nodes: readonly PostgresNode[];
  readonly primary: PostgresNode;
  /** How many times a standby has become the primary. */
  readonly promotions: number;
  /** Opens for a node the Service that leads to the primary. */
  service(from: string): Promise<number>;
  url(port: number): string;
  /** Whether the primary has all its standbys. */
  isWhole(): Promise<boolean>;
  /** How it stands with each server, for somebody who asks why commits wait. */
  report(): Promise<string[]>;
  stop(): Promise<void>;
}

const database = 'talpa';
/** Unanswered in a row: then the primary counts as lost. */
const missedAsks = 3;
const lookEveryMs = 500;
/** As CloudNativePG's `tcp_user_timeout`: without it a standby that dials a lost primary once more never sees the next one. */
const dialMs = 5_000;
const promotionMs = 60_000;

/**
 * A primary whose commits wait for one of two standbys, and beside them who does what CloudNativePG's operator does: a
 * lost primary is ended for certain, the standby that has most is promoted, and who has fallen out is copied anew.
 */
export async function startPostgresCluster(
  folders: HomeFolders,
  secrets: Secrets,
  network: Network,
): Promise<PostgresCluster> {
  const names = ['postgres-1', 'postgres-2', 'postgres-3'];
  const first = await freePorts(names.length);
  const synchronous = `ANY 1 (${names.map((name) => `"${name}"`).join(', ')})`;
  const plan = { folders, password: secrets.storePassword('postgres'), synchronous };
  const nodes = names.map((name, place) => new PostgresNode(name, first + place, plan));
  let primary = nodes[0] as PostgresNode;
  const toPrimary = () => ({ node: primary.name, port: primary.port });
  const standbys = () => nodes.filter((node) => node !== primary);
  /** Where each standby finds the primary, whichever that is. */
  const sources = new Map<PostgresNode, number>();
  /** Where the controller finds each. */
  const ports = new Map<PostgresNode, number>();
  for (const node of nodes) {
    sources.set(node, await network.link(node.name, toPrimary, dialMs));
    ports.set(node, await network.link('controller', () => ({ node: node.name, port: node.port })));
  }
  /** Whose data is of no use any more. */
  const outdated = new Set<PostgresNode>(standbys());
  let promotions = 0;
  let stopping = false;
  /** Why the last failover did not come about. */
  let hindrance: unknown = null;

  const answers = (node: PostgresNode) =>
    node
      .ask((sql) => sql`select 1`, ports.get(node))
      .then(
        () => true,
        () => false,
      );
  const standing = async (node: PostgresNode) => {
    const [row] = await node.ask(
      (sql) => sql<{ bytes: number; receives: boolean; hasReadAll: boolean }[]>`
        select exists (select from pg_stat_wal_receiver) as receives,
          pg_last_wal_receive_lsn() is not null as has_read_all,
          pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0')::float8 as bytes`,
      ports.get(node),
    );
    // One that is ahead of the next primary could never follow it.
    if (!row || row.receives) throw new Error(`${node.name} still receives`);
    // After a restart it knows what it has once it has read its own log to the end: then it first asks for more.
    if (!row.hasReadAll) throw new Error(`${node.name} still reads what it has`);
    return { node, bytes: row.bytes };
  };
  const promote = async (node: PostgresNode) => {
    const ask = <T>(question: (sql: Sql) => Promise<T>) => node.ask(question, ports.get(node));
    // An earlier attempt may have sent it, and take longer than an answer may.
    await ask((sql) => sql`select pg_promote(false) where pg_is_in_recovery()`);
    const isPrimary = async () => (await ask((sql) => sql`select where not pg_is_in_recovery()`)).length > 0;
    await until(`the promotion of ${node.name}`, isPrimary, promotionMs);
  };
  const failOver = async () => {
    // First of all: two that write would be worse than none.
    await primary.kill();
    // What is acknowledged is on one of them at least: all whose data counts must respond.
    const counting = standbys().filter((node) => !outdated.has(node));
    const standings = await Promise.all(counting.map(standing));
    const best = standings.reduce((one, other) => (other.bytes > one.bytes ? other : one)).node;
    await promote(best);
    outdated.add(primary);
    primary = best;
    promotions += 1;
  };
  const bringBack = async (node: PostgresNode) => {
    if (node.pid() || network.isCut(node.name)) return;
    if (outdated.has(node)) await node.copyFrom(sources.get(node) ?? 0);
    outdated.delete(node);
    node.start();
  };
  const control = async () => {
    for (let missed = 0; !stopping; await pause(lookEveryMs)) {
      missed = (await answers(primary)) ? 0 : missed + 1;
      const isLost = !primary.pid() || missed >= missedAsks;
      // What fails is tried again.
      if (isLost)
        hindrance = await failOver().then(
          () => null,
          (error) => error,
        );
      await Promise.all(standbys().map((node) => bringBack(node).catch(() => outdated.add(node))));
    }
  };

  await primary.make();
  primary.start();
  await until('the first primary', () => primary.ask((sql) => sql`select 1`));
  await Promise.all(standbys().map(bringBack));
  const isWhole = () =>
    primary
      .ask(async (sql) => {
        const [row] = await sql<{ count: number }[]>`
          select count(*) from pg_stat_replication
          where state = 'streaming' and application_name <> 'pg_basebackup'`;
        return row?.count === nodes.length - 1;
      })
      .catch(() => false);
  await until('two standbys', isWhole);
  // It copies a database, and waits for a standby.
  await primary.ask((sql) => sql.unsafe(`create database ${database}`), primary.port, 60_000);
  const controlling = control();
  return {
    nodes,
    get primary() {
      return primary;
    },
    get promotions() {
      return promotions;
    },
    service: (from) => network.link(from, toPrimary),
    url: (port) => primary.url(port, database),
    isWhole,
    report: async () => [
      `${primary.name} is the primary after ${promotions} promotions${hindrance ? `; no failover: ${hindrance}` : ''}`,
      ...(await Promise.all(
        nodes.map(async (node) => `${node.name}: ${await node.ask(conditionOf).catch(String)}`),
      )),
    ],
    stop: async () => {
      stopping = true;
      await controlling;
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

/** Its part, who receives from it, its own receiver, and what its clients' statements wait for. */
async function conditionOf(sql: Sql): Promise<string> {
  const [row] = await sql<Record<string, unknown>[]>`
    select pg_is_in_recovery() as standby,
      (select jsonb_agg(concat_ws(' ', application_name, state, sync_state)) from pg_stat_replication) as sends_to,
      (select wait_event from pg_stat_activity where backend_type = 'walreceiver') as receiver_waits_for,
      (select jsonb_object_agg(wait_event, count) from (
        select coalesce(wait_event, 'nothing') as wait_event, count(*) from pg_stat_activity
        where backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid() group by 1
      ) as waits) as statements_wait_for`;
  return JSON.stringify(row);
}
