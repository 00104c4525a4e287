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
