import { gauge, readOnScrape } from '../telemetry/metrics.ts';

/** Whether something a process stands on can be used: true, or why not. */
export type Check = () => string | true | Promise<string | true>;

/** One dependency as it was last seen. */
export interface DependencyState {
  readonly name: string;
  /** Without it the process can do nothing; else it goes on with less. */
  readonly needed: boolean;
  readonly works: boolean;
  /** Why it cannot be used. */
  readonly reason?: string;
  /** Since when it is so, as far as it was noticed (ISO 8601). */
  readonly since: string;
}

/** What a process answers who asks whether it can work. */
export interface Readiness {
  readonly ready: boolean;
  readonly state: 'starting' | 'running' | 'stopping';
  readonly dependencies: readonly DependencyState[];
}

/** What a process stands on, and where it is in its life. */
export interface ReadinessWatch {
  state: Readiness['state'];
  dependsOn(name: string, check: Check, needed: boolean): void;
  look(): Promise<Readiness>;
}

const patienceMs = 1_000;
/** A more frequent request gets the same response: checks write, and anybody may send requests to the gateway. */
const freshMs = 200;
/** Looked at unasked too, so that `since` is about right whenever somebody asks. */
const lookEveryMs = 5_000;

const up = gauge('talpa_dependency_up', 'Whether what the process stands on can be used', [
  'dependency',
  'needed',
]);
const readyGauge = gauge('talpa_ready', 'Whether the process can do its work');

export function watchReadiness(): ReadinessWatch {
  const checks = new Map<string, { readonly check: Check; readonly needed: boolean }>();
  const seen = new Map<string, DependencyState>();

  const lookAt = async (name: string, check: Check, needed: boolean): Promise<DependencyState> => {
    const outcome = await within(check);
    const works = outcome === true;
    const before = seen.get(name);
    const since = before?.works === works ? before.since : new Date().toISOString();
    const state = { name, needed, works, ...(works ? {} : { reason: outcome }), since };
    seen.set(name, state);
    return state;
  };
  let latest: { readonly at: number; readonly states: Promise<DependencyState[]> } | null = null;
  const lookAtAll = (): Promise<DependencyState[]> => {
    if (latest && performance.now() - latest.at < freshMs) return latest.states;
    const states = Promise.all([...checks].map(([name, { check, needed }]) => lookAt(name, check, needed)));
    latest = { at: performance.now(), states };
    return states;
  };
  const watch: ReadinessWatch = {
    state: 'starting',
    dependsOn: (name, check, needed) => {
      checks.set(name, { check: oneAtATime(check), needed });
      latest = null;
    },
    look: async () => {
      const dependencies = await lookAtAll();
      const lacksNothing = dependencies.every(({ needed, works }) => works || !needed);
      return { ready: watch.state === 'running' && lacksNothing, state: watch.state, dependencies };
    },
  };
  setInterval(() => void watch.look(), lookEveryMs).unref();
  readOnScrape('readiness', [up, readyGauge], async () => {
    const { ready, dependencies } = await watch.look();
    readyGauge.set(Number(ready));
    for (const { name, needed, works } of dependencies)
      up.set({ dependency: name, needed: String(needed) }, Number(works));
  });
  return watch;
}

/** The readiness of a process: that of all its members; where there are several, each dependency is named after its own. */
export function readinessOfAll(
  members: readonly { readonly name: string; readonly readiness: ReadinessWatch }[],
): Pick<ReadinessWatch, 'look'> {
  return {
    look: async () => {
      const found = await Promise.all(members.map(({ readiness }) => readiness.look()));
      const prefix = (at: number) => (members.length === 1 ? '' : `${members[at]?.name}/`);
      return {
        ready: found.every(({ ready }) => ready),
        state: found.find(({ state }) => state !== 'running')?.state ?? 'running',
        dependencies: found.flatMap(({ dependencies }, at) =>
          dependencies.map((one) => ({ ...one, name: `${prefix(at)}${one.name}` })),
        ),
      };
    },
  };
}

/** Why a process is not ready, in one line; null when it is. */
export function reasonOf({ ready, state, dependencies }: Readiness): string | null {
  if (ready) return null;
  if (state !== 'running') return state;
  return dependencies
    .filter(({ needed, works }) => needed && !works)
    .map(({ name, reason, since }) => `${name}: ${reason} (since ${since})`)
    .join('; ');
}

/** A store that hangs is asked once, not once more every few seconds. */
function oneAtATime(check: Check): () => Promise<string | true> {
  let running: Promise<string | true> | null = null;
  return () => {
    running ??= (async () => check())().finally(() => {
      running = null;
    });
    return running;
  };
}

/** A check that hangs or throws has failed. */
async function within(check: Check): Promise<string | true> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, patienceMs, `no response within ${patienceMs} ms`);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return code ?? message ?? 'failed';
  } finally {
    clearTimeout(timer);
  }
}
