/** What comes right after a start goes first. */
const afterMs = 3_000;

/**
 * Gives the system back, once, what a start has left behind: without it half of the heap stays garbage until there is much to do. The
 * process stands still for some 100 ms meanwhile. Only where Node was started with `--expose-gc`: on small machines.
 */
export function giveBackMemory(): void {
  const { gc } = globalThis;
  if (gc)
    setTimeout(() => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }), afterMs).unref();
}
