/** How far a work on many things has come. */
export interface Outcome<T> {
  readonly done: readonly T[];
  readonly failed: readonly { readonly item: T; readonly reason: string }[];
  /** Neither done nor begun. */
  readonly left: readonly T[];
}

/** So many calls at once: quick enough, and room for other users. */
const parallel = 4;

/**
 * Does the work on each item, some at a time; a failure stops no other. After an abort what has begun ends, and
 * nothing more begins.
 */
export async function runAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (outcome: Outcome<T>) => void },
): Promise<Outcome<T>> {
  const waiting = [...items];
  const done: T[] = [];
  const failed: { item: T; reason: string }[] = [];
  const outcome = (): Outcome<T> => ({ done: [...done], failed: [...failed], left: [...waiting] });
  const worker = async () => {
    while (!signal.aborted) {
      const item = waiting.shift();
      if (item === undefined) return;
      await work(item).then(
        () => done.push(item),
        (error: unknown) =>
          failed.push({ item, reason: error instanceof Error ? error.message : String(error) }),
      );
      progress(outcome());
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return outcome();
}
