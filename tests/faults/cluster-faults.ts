import { descendantsOf } from '@talpa/instance/child';
import type { Cluster, ClusterNode } from '@talpa/test-kit/cluster/cluster';
import type { Random } from '@talpa/test-kit/requests/random';
import { until } from '@talpa/test-kit/wait';
import { disturbing } from './known.ts';
import type { Journal } from './outcome.ts';
import { reasons } from './reasons.ts';
import { total } from './run.ts';

/** Killed: SIGKILL, and started again by its supervisor. Stopped: SIGSTOP. Cut: silent on the network. */
export const kinds = ['kill', 'stop', 'cut'] as const;
export interface Fault {
  /** One; or two of a store's three. */
  readonly nodes: readonly string[];
  readonly kind: (typeof kinds)[number];
}

/** What people have noticed of a fault, in ms. */
export interface Felt {
  readonly fault: string;
  /** From its beginning to the end of the last call that was not served because of it; 0: none. */
  readonly troubledMs: number;
  /** How many calls those were. */
  readonly unserved: number;
  /** The longest that anybody waited for a response: a figure for docs/scaling.md, no bound. */
  readonly longestMs: number;
}

/** Changes in a row, all of them acknowledged: then a fault has been got over. */
const calmAgain = 20;
/** Much longer than any part of the cluster takes to notice and to go on without a node, on a machine with other work too. */
const patienceMs = 180_000;

/**
 * Lets nodes fail, brings them back and waits until nothing lacks. People are served meanwhile; without two Postgres their calls end.
 * @param unserved counts the calls that were not served so far
 */
export const strike = (
  cluster: Cluster,
  fault: Fault,
  journal: Journal,
  unserved: () => number,
): Promise<Felt> => disturbing(journal, () => strikeAndHeal(cluster, fault, journal, unserved));

async function strikeAndHeal(
  cluster: Cluster,
  { nodes: names, kind }: Fault,
  journal: Journal,
  unserved: () => number,
): Promise<Felt> {
  const nodes = cluster.nodes.filter(({ name }) => names.includes(name));
  const wasPrimary = names.includes(cluster.postgres.primary.name);
  const { promotions } = cluster.postgres;
  const fault = `${kind} ${names.join(' + ')}${wasPrimary ? ' (primary)' : ''}`;
  const startedAt = Date.now();
  /** Reports why it does not come, before anything is healed. */
  const wait = (what: string, condition: () => boolean | Promise<boolean>) =>
    until(`${what}: ${fault}`, condition, patienceMs).catch(async (error: Error) => {
      throw new Error([error.message, ...(await reasons(cluster, journal, startedAt))].join('\n'));
    });
  const servedAgain = (when: string) => {
    journal.calm = 0;
    return wait(`${calmAgain} changes in a row ${when}`, () => journal.calm >= calmAgain);
  };
  const before = unserved();
  const endedBefore = ended(journal);
  journal.longestMs = 0;
  const ends = nodes.map((node) => begin(cluster, node, kind));
  try {
    // Two of three Postgres are more than commits can do without; calls need no majority of NATS.
    const isTooMuch =
      names.length > 1 && nodes.some((node) => cluster.postgres.nodes.some((one) => one === node));
    if (isTooMuch || (kind !== 'kill' && !names.every(cluster.noticesSilence)))
      await wait('some calls', () => ended(journal) >= endedBefore + 2 * calmAgain);
    else {
      if (wasPrimary) await wait('another primary', () => cluster.postgres.promotions > promotions);
      await servedAgain('without it');
    }
    // Nobody waits for the node to come back: each call that is open ends by a deadline of its own.
    const open = [...journal.waiting];
    await wait('an end of every call without it', () => !open.some((call) => journal.waiting.has(call)));
  } finally {
    for (const end of ends) end();
  }
  await servedAgain('with it');
  const felt = {
    fault,
    troubledMs: Math.max(0, (journal.unserved.at(-1)?.endedAt ?? 0) - startedAt),
    unserved: unserved() - before,
    longestMs: journal.longestMs,
  };
  await wait('nothing lacks', () => cluster.isWhole());
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

/** How many calls have ended, in whichever way. */
const ended = ({ acknowledged, refused, unknown }: Journal) =>
  total(acknowledged) + total(refused) + total(unknown);

/**
 * The faults of a run, in a random order.
 * @param wanted `kill <node>, cut <node> + <node>, …`, or `all`: every node, and two of three of each store, in each way
 */
export function faultsOf({ nodes }: Cluster, random: Random, wanted: string): Fault[] {
  const single = nodes.map(({ name }) => [name]);
  const pairs = ['nats', 'postgres'].flatMap((store) =>
    [
      [1, 2],
      [1, 3],
      [2, 3],
    ].map((pair) => pair.map((number) => `${store}-${number}`)),
  );
  const all = [...single, ...pairs].flatMap((names) => kinds.map((kind): Fault => ({ nodes: names, kind })));
  const named = new Map(all.map((fault) => [`${fault.kind} ${fault.nodes.join(' + ')}`, fault]));
  const chosen =
    wanted === 'all'
      ? all
      : wanted.split(',').map((one) => {
          const fault = named.get(one.trim());
          if (!fault)
            throw new Error(`there is no fault “${one.trim()}”; there are ${[...named.keys()].join(', ')}`);
          return fault;
        });
  return chosen
    .map((fault) => ({ fault, rank: random.fraction() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ fault }) => fault);
}
