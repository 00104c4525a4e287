/**
 * Connection errors of postgres.js and the system, and Postgres answering that it is not there (yet), is no longer the one that
 * writes (25006), or has ended a statement that took too long (57014): as when it waits for a commit that waits for a standby.
 */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
]);

/** Whether a failure only says that the database cannot be reached now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    unavailableCodes.has(error.code)
  );
}

/**
 * Whether Postgres refuses what it was given, and always will: a value out of range or of no such type (class 22), beyond a limit of its
 * own (class 54), missing (23502) or against a check (23514).
 */
export function isDataRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // What JavaScript cannot make a date of does not even get there.
  if (error instanceof RangeError) return true;
  return 'code' in error && /^(22...|54...|23502|23514)$/.test(String(error.code));
}
