import type { ProviderFault } from '@talpa/contracts';
import type { OperationName } from './operations.ts';
import { operations } from './operations.ts';

/** Codes that say who we are to the provider, whatever the status: an operator's to fix, and nobody's tunnel. */
const codesOf = {
  /** The headers, or the token in them, have no right form. */
  malformed: [6003, 9106],
  /** The token is not known, has run out, or may not do this. */
  refused: [9109, 10_000, 10_001],
  /** The path leads nowhere: its account or zone is none. */
  nowhere: [7003],
} as const;

/** What an operator has to fix before such a response ends; undefined when it is nothing of theirs. */
export function faultOf(
  operation: OperationName,
  status: number | undefined,
  codes: readonly number[],
): ProviderFault | undefined {
  const has = (some: readonly number[]) => codes.some((code) => some.includes(code));
  if (has(codesOf.malformed)) return 'token_malformed';
  if (has(codesOf.nowhere)) return `${operations[operation].of}_unknown`;
  if (has(codesOf.refused) || status === 401 || status === 403) return 'token_refused';
  return undefined;
}
