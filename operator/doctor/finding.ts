/** What a check has found, in words that say what to do. `unknown`: it cannot be known from here. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem' | 'unknown';
  readonly text: string;
}

/** Writes the findings of one check. */
export function findingsOf(check: string) {
  const of =
    (state: Finding['state']) =>
    (text: string): Finding => ({ check, state, text });
  return { ok: of('ok'), warning: of('warning'), problem: of('problem'), unknown: of('unknown') };
}

/** Each look at something outside ends after so long. */
export const patienceMs = 5_000;

/** The reason of a failure in one line; a failed fetch has its reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code } = cause as NodeJS.ErrnoException;
  return cause.message || code || cause.name;
}

/** @throws Error when it takes longer than a look may */
export function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no response within 5 s')), patienceMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
