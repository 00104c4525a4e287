import type { Msg } from '@nats-io/transport-node';
import { createMemory, longestMemoryMs, type Memory } from '../memory/memory.ts';
import { freshUntil } from './effects.ts';
import type { Input } from './input.ts';
import type { ApiRoute } from './table.ts';
import type { Visitor } from './visitor.ts';

/** An answer, and until when it is true by itself (ms since the epoch). */
export interface RememberedReply {
  /** A text: Node sends it in one piece with the headers. */
  readonly text: string;
  readonly until: number;
}

const mostBytes = 32 * 1_024 * 1_024;

/** The gateway's memory of answers. */
export const createReplies = (): Memory<RememberedReply> =>
  createMemory(
    'replies',
    mostBytes,
    ({ text }) => text.length + 200,
    ({ until }) => until,
  );

/** A service's answer as it is remembered. */
export function toRemember(message: Msg): RememberedReply {
  return { text: message.string(), until: Math.min(freshUntil(message), Date.now() + longestMemoryMs) };
}

/** Under which key an answer may be remembered; null: not at all. */
export function memoryKey(
  route: ApiRoute,
  visitor: Omit<Visitor, 'assertion'>,
  input: Input,
  language: string,
): string | null {
  const { cached, secret } = route.entry;
  if (!cached || secret) return null;
  const version = cached === 'global' ? visitor.sharedVersion : visitor.ownVersion;
  const owner = cached === 'global' ? 'everybody' : visitor.actor?.userId;
  if (version === null || owner === undefined) return null;
  return `${owner} ${route.name} ${language} ${version} ${JSON.stringify(input)}`;
}
