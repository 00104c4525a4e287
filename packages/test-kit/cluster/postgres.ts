import { setTimeout as pause } from 'node:timers/promises';
import type { HomeFolders } from '../../../launcher/paths.ts';
import type { Secrets } from '../../../launcher/secrets.ts';
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
  stop(): Promise<void>;
}

const database = 'talpa';
/** Unanswered in a row: then the primary counts as lost. */
const missedAsks = 3;
const lookEveryMs = 500;

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
    sources.set(node, await network.link(node.name, toPrimary));
    ports.set(node, await network.link('controller', () => ({ node: node.name, port: node.port })));
  }
  /** Whose data is of no use any more. */
  const outdated = new Set<PostgresNode>(standbys());
  let promotions = 0;
  let stopping = false;

  const answers = (node: PostgresNode) =>
    node
      .ask((sql) => sql`select 1`, ports.get(node))
      .then(
        () => true,
        () => false,
      );
  const received = (node: PostgresNode) =>
    node.ask(async (sql) => {
      const [row] = await sql<{ bytes: number }[]>`
        select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::float8 as bytes`;
      return row?.bytes ?? 0;
    }, ports.get(node));
  const failOver = async () => {
    // First of all: two that write would be worse than none.
    await primary.kill();
    // What is acknowledged lies on one of them at least: all must be heard whose data counts.
    const counting = standbys().filter((node) => !outdated.has(node));
    const heard = await Promise.all(counting.map(async (node) => ({ node, bytes: await received(node) })));
    const best = heard.reduce((one, other) => (other.bytes > one.bytes ? other : one)).node;
    await best.ask((sql) => sql`select pg_promote(true, 10)`, ports.get(best));
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
      if (isLost) await failOver().catch(() => {});
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
  await until('two standbys', isWhole, 60_000);
  await primary.ask((sql) => sql.unsafe(`create database ${database}`));
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
    stop: async () => {
      stopping = true;
      await controlling;
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}
