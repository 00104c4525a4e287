const everyMs = 60_000;

/** Calls `write` once a minute at most, and leaves out what comes between: visitors and connectors could fill the log. */
export function onceAMinute<A extends unknown[]>(write: (...given: A) => void): (...given: A) => void {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return (...given) => {
    if (performance.now() - writtenAt < everyMs) return;
    writtenAt = performance.now();
    write(...given);
  };
}
