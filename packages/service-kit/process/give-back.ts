/** What comes right after a start goes first. */
const afterMs = 3_000;
const lookEveryMs = 60_000;
/** A process that took less processor time than this share of a minute is at rest. */
const restShare = 0.03;
/** So much more than what was left last time is worth a collection. */
const growth = 1.25;

/**
 * Gives the system back what a start has left behind, and later what work has, once it is over: V8 keeps it until there is much to do. The
 * process stands still for some 100 ms meanwhile. Only where Node was started with `--expose-gc`: on small machines.
 */
export function giveBackMemory(): void {
  const { gc } = globalThis;
  if (!gc) return;
  const heapBytes = () => process.memoryUsage().heapTotal;
  const usedMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let left = 0;
  let before = usedMs();
  const collect = () => {
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    left = heapBytes();
  };
  setTimeout(collect, afterMs).unref();
  setInterval(() => {
    const now = usedMs();
    const isAtRest = now - before < lookEveryMs * restShare;
    before = now;
    if (isAtRest && heapBytes() > left * growth) collect();
  }, lookEveryMs).unref();
}
