import { AppError } from '@talpa/service-kit/app-error';
import type { SharedLimit } from './shared.ts';

/** A limit and whom it counts. */
export type Count = readonly [SharedLimit, string];

const wrong: ReadonlySet<string> = new Set(['invalid_credentials', 'wrong_password']);

/**
 * Counts one after the other before the call, so that guesses made at once count too, and so that what one
 * limit refuses uses up nothing of the next. All but wrong passwords are given back.
 */
export async function countingFailures<T>(counts: readonly Count[], call: () => Promise<T>): Promise<T> {
  for (const [limit, key] of counts) await limit.consume(key);
  const giveBack = () => Promise.all(counts.map(([limit, key]) => limit.giveBack(key)));
  try {
    const answer = await call();
    await giveBack();
    return answer;
  } catch (error) {
    if (!(error instanceof AppError && wrong.has(error.code))) await giveBack();
    throw error;
  }
}
