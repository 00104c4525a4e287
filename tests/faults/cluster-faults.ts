import { descendantsOf } from '../../launcher/child.ts';
import type { Cluster, ClusterNode } from '../kit/cluster/cluster.ts';
import type { Random } from '../kit/requests/random.ts';
import { until } from '../kit/wait.ts';
import type { Journal } from './outcome.ts';

/** Killed: SIGKILL, and started again by whoever watches it. Stopped: SIGSTOP. Cut: silent on the network. */
export const kinds = ['kill', 'stop', 'cut'] as const;
export interface Fault {
  readonly node: string;
  readonly kind: (typeof kinds)[number];
}

/** What people have noticed of a fault, in ms. */
export interface Felt {
  readonly fault: string;
  /** From its beginning to the end of the last call that was not served because of it; 0: none. */
  readonly troubledMs: number;
  /** How many calls those were. */
  readonly unserved: number;
  /** The longest that anybody waited for an answer: a figure for docs/scaling.md, no bound. */
  readonly longestMs: number;
}

/** Changes in a row, all of them acknowledged: then a fault has been got over. */
const calmAgain = 20;
/** Much longer than any part of the cluster takes to notice and to go on without a node, on a machine with other work too. */
const patienceMs = 180_000;

/**
 * Lets one node fail, waits until people are served without it, brings it back and waits until nothing lacks.
 * @param unserved counts the calls that were not served so far
 */
export async function strike(
  cluster: Cluster,
  { node: name, kind }: Fault,
  journal: Journal,
  unserved: () => number,
): Promise<Felt> {
  const node = cluster.nodes.find((one) => one.name === name);
  if (!node) throw new Error(`there is no node ${name}`);
  const wasPrimary = cluster.postgres.primary.name === name;
  const { promotions } = cluster.postgres;
  const fault = `${kind} ${name}${wasPrimary ? ' (primary)' : ''}`;
  const servedAgain = (when: string) => {
    journal.calm = 0;
    return until(
      `${calmAgain} changes in a row ${when}: ${fault}`,
      () => journal.calm >= calmAgain,
      patienceMs,
    );
  };
  const before = unserved();
  const { changes } = journal;
  const startedAt = Date.now();
  journal.longestMs = 0;
  const end = begin(cluster, node, kind);
  try {
    if (wasPrimary)
      await until('another primary', () => cluster.postgres.promotions > promotions, patienceMs);
    if (kind === 'kill' || cluster.noticesSilence(name)) await servedAgain('without it');
    else await until('some changes', () => journal.changes >= changes + calmAgain, patienceMs);
    // Nobody waits for the node to come back: each call that is open ends by a deadline of its own.
    const open = [...journal.waiting];
    await until(
      `an end of every call without it: ${fault}`,
      () => !open.some((call) => journal.waiting.has(call)),
      patienceMs,
    );
  } finally {
    end();
  }
  await servedAgain('with it');
  const felt = {
    fault,
    troubledMs: Math.max(0, journal.lastUnknownAt - startedAt),
    unserved: unserved() - before,
    longestMs: journal.longestMs,
  };
  await until(`nothing lacks after: ${fault}`, () => cluster.isWhole(), patienceMs);
  return felt;
}

/** @returns how to end it */
function begin({ network }: Cluster, node: ClusterNode, kind: Fault['kind']): () => void {
  const pid = node.pid();
  if (!pid) throw new Error(`${node.name} does not run`);
  const signal = (what: NodeJS.Signals) => {
    for (const one of [pid, ...descendantsOf(pid)])
      try {
        process.kill(one, what);
      } catch {
        // It was ended meanwhile, as a primary that hangs is.
      }
  };
  if (kind === 'cut') {
    network.cut(node.name);
    return () => network.heal(node.name);
  }
  if (kind === 'stop') {
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }
  process.kill(pid, 'SIGKILL');
  return () => {};
}

/** What a run does when nobody asks for another: a way of falling out for each store that keeps something. */
const fewFaults = 'kill nats-1, cut postgres-1';

/**
 * The faults of a run, in a random order.
 * @param wanted `kill <node>, …`, or `all`: every node in each way
 */
export function faultsOf({ nodes }: Cluster, random: Random, wanted = fewFaults): Fault[] {
  const all = nodes.flatMap(({ name }) => kinds.map((kind): Fault => ({ node: name, kind })));
  const asked = wanted.split(',').map((one) => one.trim());
  const chosen = wanted === 'all' ? all : all.filter(({ kind, node }) => asked.includes(`${kind} ${node}`));
  return chosen
    .map((fault) => ({ fault, rank: random.fraction() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ fault }) => fault);
}
