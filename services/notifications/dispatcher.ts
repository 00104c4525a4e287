import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { outOfScope } from '@talpa/service-kit/telemetry/scope';

const lookEveryMs = 1_000;
/** How long the process waits for its last attempts when it stops: most take less, and what is cut off is tried again. */
const stopWaitMs = 10_000;

interface Lane<T> {
  /** How many are handled at the same time. */
  readonly places: number;
  /** Takes what is due, at most `count`, under a lease. */
  claim(count: number): Promise<readonly T[]>;
}

export interface Dispatch<T> {
  readonly name: string;
  readonly lanes: readonly Lane<T>[];
  /** Logs its failures itself: the lease expires, and the work is claimed again. */
  handle(work: T): Promise<void>;
  readonly lookFailed: string;
  /** Called when the process stops, after the last attempt. */
  close?(): void;
}

/**
 * Handles what is due, a few at once, for as long as the process lives. Several processes never have the same work.
 * @returns to be called when something has become due
 */
export function startDispatcher<T>(
  { name, lanes, handle, lookFailed, close }: Dispatch<T>,
  lifecycle: Lifecycle,
): () => void {
  const { log } = lifecycle;
  const occupied = lanes.map((lane) => ({ ...lane, tasks: new Set<Promise<void>>() }));
  let stopping = false;
  let looking: Promise<void> | null = null;
  let again = false;

  const fill = async () => {
    do {
      again = false;
      for (const { tasks, places, claim } of occupied) {
        if (stopping || tasks.size >= places) continue;
        for (const work of await claim(places - tasks.size)) {
          const task = handle(work).then(() => {
            tasks.delete(task);
            kick();
          });
          tasks.add(task);
        }
      }
    } while (again && !stopping);
  };
  const kick = () => {
    again = true;
    if (stopping) return;
    // The work does not belong to the request that triggered this look.
    looking ??= outOfScope(fill)
      .catch((error) => log.debug({ err: error }, lookFailed))
      .finally(() => {
        looking = null;
      });
  };
  lifecycle.onStop(
    name,
    async () => {
      stopping = true;
      await looking;
      const late = new Promise((resolve) => setTimeout(resolve, stopWaitMs).unref());
      await Promise.race([Promise.all(occupied.flatMap(({ tasks }) => [...tasks])), late]);
      close?.();
    },
    stopWaitMs,
  );
  lifecycle.every(lookEveryMs, async () => kick(), { failed: lookFailed });
  return kick;
}
