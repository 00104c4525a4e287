const failures = new Set<() => void>();

/** Loads something at the first call and keeps it. A failure is kept too, until `forgetFailures`. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      failures.add(() => {
        loaded = undefined;
      });
      throw error;
    });
    const mine = loaded;
    // React reads these: what is there already is shown at once, without the fallback that moves the page.
    void mine.then((value) => Object.assign(mine, { status: 'fulfilled', value })).catch(() => {});
    return loaded;
  };
}

/** What failed to load is asked for again when it is needed next. */
export function forgetFailures(): void {
  for (const forget of failures) forget();
  failures.clear();
}
