import { LRUCache } from 'lru-cache';

/** A bounded memory of answers. Nothing in it is ever wrong for longer than its key is right. */
export interface Memory<V> {
  /** The remembered answer, if there is one. */
  known(key: string): V | undefined;
  /** The remembered answer, or the one just being asked for, or else a new one. Failures are not kept. */
  recall(key: string, ask: () => Promise<V>): V | Promise<V>;
}

/**
 * @param maximumSize sum of all sizes it may hold; the least recently used go first.
 * @param sizeOf what one answer counts.
 * @param untilOf until when an answer is true by itself, in ms since the epoch.
 */
export function createMemory<V extends object>(
  maximumSize: number,
  sizeOf: (value: V) => number,
  untilOf: (value: V) => number = () => Number.POSITIVE_INFINITY,
): Memory<V> {
  const answers = new LRUCache<string, V>({
    maxSize: maximumSize,
    sizeCalculation: (value) => sizeOf(value),
  });
  const asked = new Map<string, Promise<V>>();
  const isTrue = (value: V) => untilOf(value) > Date.now();
  const known = (key: string) => {
    const value = answers.get(key);
    return value && isTrue(value) ? value : undefined;
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
    // Whoever joined when it was no longer true asks for himself.
    if (underWay) return underWay.then((answer) => (isTrue(answer) ? answer : recall(key, ask)));
    const question = askOnce(key, ask);
    asked.set(key, question);
    return question;
  };
  return { known, recall };
}
