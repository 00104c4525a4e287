import {
  type ErrorBody,
  type ErrorCode,
  isErrorCode,
  type RequestOf,
  type ResponseOf,
  type RouteName,
  type Routes,
} from '@talpa/contracts';
import type { Client } from '@talpa/test-kit/client';
import type { Disturbance } from './known.ts';

/** How a call ended, as far as its caller can know. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly body: T }
  | { readonly kind: 'refused'; readonly code: ErrorCode }
  /** It may have happened or not, or may still happen. */
  | { readonly kind: 'unknown'; readonly why: string };

/** A call whose end is not known. */
interface Unserved {
  readonly endedAt: number;
  readonly tookMs: number;
  readonly route: RouteName;
  readonly why: string;
  /** Under which the logs show it; null: no response came. */
  readonly requestId: string | null;
}

interface Change {
  readonly route: RouteName;
  readonly requestId: string;
  readonly endedAt: number;
}

/** What was counted, and everything that must never be. */
export interface Journal extends Disturbance {
  readonly acknowledged: Record<string, number>;
  /** The changes among them. */
  readonly changed: Change[];
  readonly refused: Record<string, number>;
  readonly unknown: Record<string, number>;
  /** By call, those whose end is not known. */
  readonly open: Record<string, number>;
  /** Changes acknowledged so far. */
  changes: number;
  /** How many of them since the last call whose end is not known. */
  calm: number;
  /** The last of the calls whose end is not known, the latest at the end. */
  readonly unserved: Unserved[];
  /** The calls that have no response yet. */
  readonly waiting: Set<symbol>;
  /** How long the slowest call took, in ms. */
  longestMs: number;
  /** Each is a bug. */
  readonly violations: string[];
}

export function newJournal(): Journal {
  return {
    acknowledged: {},
    changed: [],
    refused: {},
    unknown: {},
    open: {},
    changes: 0,
    calm: 0,
    unserved: [],
    waiting: new Set(),
    longestMs: 0,
    disturbedUntil: 0,
    violations: [],
  };
}

/** Says that something was that must never be. */
export function accuse(journal: Journal, violation: string): void {
  if (journal.violations.length < 50) journal.violations.push(violation);
}

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** A run of an hour has thousands. */
const keptUnserved = 1_000;

/** Codes above 499 that say for certain that nothing was done. */
const definitive: ReadonlySet<string> = new Set<ErrorCode>(['tunnel_refused', 'zone_full']);

/** Makes a call and records how it ended. */
export async function attempt<N extends RouteName>(
  journal: Journal,
  client: Client,
  route: N,
  input: RequestOf<Routes[N]>,
): Promise<Outcome<ResponseOf<Routes[N]>>> {
  const startedAt = Date.now();
  const call = Symbol(route);
  journal.waiting.add(call);
  const unknown = (why: string, requestId: string | null, detail = why) => {
    count(journal.unknown, why);
    count(journal.open, route);
    journal.calm = 0;
    const endedAt = Date.now();
    journal.unserved.push({ endedAt, tookMs: endedAt - startedAt, route, why: detail, requestId });
    if (journal.unserved.length > keptUnserved) journal.unserved.shift();
  };
  try {
    const response = await client.try(route, input);
    if (response.status < 300) {
      count(journal.acknowledged, route);
      if (!route.startsWith('GET ')) {
        const requestId = response.headers.get('x-request-id') ?? '';
        journal.changed.push({ route, requestId, endedAt: Date.now() });
        journal.changes += 1;
        journal.calm += 1;
      }
      return { kind: 'done', body: response.body as ResponseOf<Routes[N]> };
    }
    const { code = '', requestId = null } = (response.body ?? {}) as Partial<ErrorBody>;
    if (!isErrorCode(code)) {
      accuse(journal, `${route} returned ${response.status} without a code of ours`);
      return { kind: 'unknown', why: String(response.status) };
    }
    if (code === 'internal') accuse(journal, `${route} returned 500: ${JSON.stringify(response.body)}`);
    if (response.status < 500 || definitive.has(code)) {
      count(journal.refused, code);
      return { kind: 'refused', code };
    }
    unknown(code, requestId, `${response.status} ${code}`);
    return { kind: 'unknown', why: code };
  } catch (error) {
    if (error instanceof SyntaxError) accuse(journal, `${route} returned no JSON: ${error.message}`);
    const { cause } = error as Error;
    unknown('no response', null, `no response: ${cause ?? error}`);
    return { kind: 'unknown', why: String(error) };
  } finally {
    journal.waiting.delete(call);
    journal.longestMs = Math.max(journal.longestMs, Date.now() - startedAt);
  }
}
