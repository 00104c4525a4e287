import { counter, gauge, readOnScrape } from '@talpa/service-kit/telemetry/metrics';
import { LRUCache } from 'lru-cache';

/** The maximum age of a remembered answer, in ms. It holds even if an attacker keeps the cache versions in Redis alive. */
export const longestMemoryMs = 30_000;

/** A bounded memory of answers. Nothing in it is ever wrong for longer than its key is right. */
export interface Memory<V> {
  /** The remembered answer, if there is one. */
  known(key: string): V | undefined;
  /** The remembered answer, or the one just being asked for, or else a new one. Failures are not kept. */
  recall(key: string, ask: () => Promise<V>): V | Promise<V>;
}

const recalled = counter(
  'talpa_memory_answers_total',
  'What was asked of the gateway’s memory: known, being asked for already, or asked for anew',
  ['memory', 'answer'],
);
const kept = gauge('talpa_memory_entries', 'Answers kept', ['memory']);
const size = gauge('talpa_memory_size', 'What they count of what the memory may hold: bytes, or entries', [
  'memory',
]);
const memories = new Map<string, LRUCache<string, object>>();
readOnScrape('memory', [kept, size], () => {
  for (const [memory, answers] of memories) {
    kept.set({ memory }, answers.size);
    size.set({ memory }, answers.calculatedSize);
  }
});

/**
 * @param name what its metrics are called
 * @param maximumSize sum of all sizes it may hold; the least recently used go first.
 * @param sizeOf what one answer counts.
 * @param untilOf until when an answer is true by itself, in ms since the epoch.
 */
export function createMemory<V extends object>(
  name: string,
  maximumSize: number,
  sizeOf: (value: V) => number,
  untilOf: (value: V) => number = () => Number.POSITIVE_INFINITY,
): Memory<V> {
  const answers = new LRUCache<string, V>({
    maxSize: maximumSize,
    sizeCalculation: (value) => sizeOf(value),
  });
  memories.set(name, answers as unknown as LRUCache<string, object>);
  const hit = recalled.labels(name, 'known');
  const joined = recalled.labels(name, 'joined');
  const miss = recalled.labels(name, 'asked');
  const asked = new Map<string, Promise<V>>();
  const isTrue = (value: V) => untilOf(value) > Date.now();
  const known = (key: string) => {
    const value = answers.get(key);
    if (!value || !isTrue(value)) return undefined;
    hit.inc();
    return value;
  };
  const askOnce = async (key: string, ask: () => Promise<V>) => {
    try {
      const value = await ask();
      answers.set(key, value);
      return value;
    } finally {
      asked.delete(key);
    }
  };
  const recall = (key: string, ask: () => Promise<V>): V | Promise<V> => {
    const value = known(key);
    if (value) return value;
    const underWay = asked.get(key);
    if (underWay) {
      joined.inc();
      // Whoever joined when it was no longer true asks for himself.
      return underWay.then((answer) => (isTrue(answer) ? answer : recall(key, ask)));
    }
    miss.inc();
    const question = askOnce(key, ask);
    asked.set(key, question);
    return question;
  };
  return { known, recall };
}
