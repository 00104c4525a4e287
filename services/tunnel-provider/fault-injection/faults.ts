import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

const regex = z.string().transform((source, context) => {
  try {
    return new RegExp(source);
  } catch {
    context.addIssue({ code: 'custom', message: 'is no regular expression' });
    return z.NEVER;
  }
});

/** What goes wrong, with which calls, and how often. */
export const fault = z.object({
  match: z
    .object({
      /** An operation's name, as `/fault-injection/calls` counts them. */
      operation: z.string().optional(),
      method: z.string().toUpperCase().optional(),
      /** Matched against the path with its query. */
      path: regex.optional(),
    })
    .default({}),
  /** `drop` closes the connection before the work, `lose_response` after it. */
  fault: z.enum(['delay', '429', '500', 'drop', 'lose_response', 'refuse']),
  /** How long a delay is. */
  ms: z.int().min(0).max(600_000).default(0),
  /** What a refusal responds; always a body that says it is no success. */
  status: z.int().min(200).max(599).default(400),
  code: z.int().default(1001),
  message: z.string().default('refused by a test switch'),
  /** Seconds, with a 429. */
  retryAfter: z.number().min(0).default(1),
  /** Gone after so many hits; for ever when left out. */
  times: z.int().positive().optional(),
  probability: z.number().min(0).max(1).default(1),
});
export type Fault = z.output<typeof fault>;

/** The faults that are set now, and how often each operation was called. */
export class FaultInjector {
  private faults: (Fault & { left: number })[] = [];
  private readonly counts = new Map<string, number>();

  add(one: Fault): void {
    this.faults.push({ ...one, left: one.times ?? Number.POSITIVE_INFINITY });
  }

  clearFaults(): void {
    this.faults = [];
  }

  /** Counts a call and gives the first fault that hits it. */
  hit(call: { operation: string; method: string; url: string }): Fault | undefined {
    this.counts.set(call.operation, (this.counts.get(call.operation) ?? 0) + 1);
    const found = this.faults.find(
      ({ match, left, probability }) =>
        left > 0 &&
        (!match.operation || match.operation === call.operation) &&
        (!match.method || match.method === call.method) &&
        (!match.path || match.path.test(call.url)) &&
        Math.random() < probability,
    );
    if (found) found.left -= 1;
    return found;
  }

  calls(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  clearCalls(): void {
    this.counts.clear();
  }
}

/** Waits as long as a delay says, or until the caller has gone. */
export async function delay(ms: number, gone: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: gone }).catch(() => {});
}
