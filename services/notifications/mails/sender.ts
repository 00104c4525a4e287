import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { outOfScope } from '@talpa/service-kit/telemetry/scope';
import type { Parts } from '../context.ts';
import { deliver } from './deliver.ts';
import { claimDue } from './sql.ts';

const concurrency = 5;
const lookEveryMs = 1_000;
/** How long the process waits for its last attempts when it stops: most take less, and what is cut off is tried again. */
const stopWaitMs = 10_000;

/**
 * Sends what is due, for as long as the process lives, a few at once. Several processes never have the same one.
 * @returns to be called when something has become due
 */
export function startSender(
  base: ServiceBase,
  parts: Pick<Parts, 'smtp' | 'render'>,
  lifecycle: Lifecycle,
): () => void {
  const { log } = lifecycle;
  const running = new Set<Promise<void>>();
  let stopping = false;
  let looking: Promise<void> | null = null;
  let again = false;

  const fill = async () => {
    do {
      again = false;
      while (!stopping && running.size < concurrency) {
        const free = concurrency - running.size;
        const claimed = await claimDue(base.sql, free);
        for (const mail of claimed) {
          const task = deliver({ ...base, ...parts, log }, mail)
            .catch((error) =>
              log.warn(
                { err: error, mailId: mail.id },
                'email could not be handled, retrying after its lease',
              ),
            )
            .then(() => {
              running.delete(task);
              kick();
            });
          running.add(task);
        }
        if (claimed.length < free) break;
      }
    } while (again && !stopping);
  };
  const kick = () => {
    again = true;
    if (stopping) return;
    // An email does not belong to the request that triggered this look.
    looking ??= outOfScope(fill)
      .catch((error) => log.debug({ err: error }, 'due emails cannot be looked for'))
      .finally(() => {
        looking = null;
      });
  };
  lifecycle.onStop(
    'emails',
    async () => {
      stopping = true;
      await looking;
      const late = new Promise((resolve) => setTimeout(resolve, stopWaitMs).unref());
      await Promise.race([Promise.all(running), late]);
      parts.smtp?.close();
    },
    stopWaitMs,
  );
  lifecycle.every(lookEveryMs, async () => kick(), { failed: 'due emails cannot be looked for' });
  return kick;
}
