import type { LoggedRequests } from '@talpa/contracts';
import type { Log } from '@talpa/service-kit/log';
import type { EdgeRequests, RequestLog } from './request-log.ts';

/** Where recorded requests go. */
export interface RequestsOut {
  /** Throws when they may not have arrived. */
  store(requests: LoggedRequests): Promise<void>;
  /** Of logs that are not stored: to those who watch, if anybody does. */
  show(requests: LoggedRequests): void;
}

/** Soon enough for who watches. */
const flushMs = 1_000;
/** A message of so many entries is well below what the bus carries. */
const atOnce = 500;

/** Hands on what was recorded; gives back what could not be stored. */
export async function handOn(requests: RequestLog, out: RequestsOut): Promise<void> {
  const { stored, live } = requests.take();
  for (const part of partsOf(live)) out.show(part);
  const parts = partsOf(stored);
  for (const [index, part] of parts.entries())
    try {
      await out.store(part);
    } catch (error) {
      for (const left of parts.slice(index)) requests.giveBack(left);
      throw error;
    }
}

function partsOf({ entries, missed }: EdgeRequests): EdgeRequests[] {
  if (entries.length === 0 && missed.length === 0) return [];
  const parts: EdgeRequests[] = [{ entries: entries.slice(0, atOnce), missed }];
  for (let from = atOnce; from < entries.length; from += atOnce)
    parts.push({ entries: entries.slice(from, from + atOnce), missed: [] });
  return parts;
}

/** Hands on every second; the function it gives stops and does so once more. */
export function keepRequests(requests: RequestLog, out: RequestsOut, log: Log): () => Promise<void> {
  let running = Promise.resolve();
  let hasFailed = false;
  const flush = () => {
    running = running
      .then(() => handOn(requests, out))
      .then(() => {
        hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!hasFailed) log.warn({ err: error }, 'logged requests cannot be published, retrying');
        hasFailed = true;
      });
    return running;
  };
  const timer = setInterval(flush, flushMs);
  return async () => {
    clearInterval(timer);
    await flush();
  };
}
