import type { LiveMessage } from '@talpa/contracts';
import type { LiveStream } from './stream.ts';

type Scope = 'own' | 'shared' | 'all';

/** All open streams of this gateway, by whose they are. A message is made into bytes once for each audience. */
export interface Hub {
  readonly size: number;
  readonly streams: Iterable<LiveStream>;
  add(stream: LiveStream): void;
  remove(stream: LiveStream): void;
  /** A user's open streams. */
  of(userId: number): ReadonlySet<LiveStream>;
  /** Sends to one user. */
  sendToUser(userId: number, message: LiveMessage): void;
  /** Sends to the owner and, in other scopes, to members and administrators. */
  publish(userId: number, message: (scope: Scope) => LiveMessage, memberIds?: readonly number[]): void;
  broadcast(message: LiveMessage): void;
}

const nobody: ReadonlySet<LiveStream> = new Set();

/** What is about a reader's own account alone. */
const ofAccount: ReadonlySet<LiveMessage['type']> = new Set([
  'refetch',
  'sessionEnded',
  'user',
  'preferences',
]);

/** A message as it is written to a stream. */
export function bytesOf(message: LiveMessage): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}

export const refetch = bytesOf({ type: 'refetch' });

export function createHub(): Hub {
  const streams = new Set<LiveStream>();
  const byUser = new Map<number, Set<LiveStream>>();
  const write = (readers: Iterable<LiveStream>, make: () => LiveMessage) => {
    let made: { readonly bytes: Uint8Array; readonly isOfAccount: boolean } | undefined;
    for (const reader of readers) {
      if (!made) {
        const message = make();
        made = { bytes: bytesOf(message), isOfAccount: ofAccount.has(message.type) };
      }
      if (made.isOfAccount || reader.sight !== 'account') reader.write(made.bytes);
    }
  };
  return {
    get size() {
      return streams.size;
    },
    streams,
    add: (stream) => {
      streams.add(stream);
      const own = byUser.get(stream.claim.userId);
      if (own) own.add(stream);
      else byUser.set(stream.claim.userId, new Set([stream]));
    },
    remove: (stream) => {
      streams.delete(stream);
      const own = byUser.get(stream.claim.userId);
      own?.delete(stream);
      if (own?.size === 0) byUser.delete(stream.claim.userId);
    },
    of: (userId) => byUser.get(userId) ?? nobody,
    sendToUser: (userId, message) => write(byUser.get(userId) ?? nobody, () => message),
    publish: (userId, message, memberIds = []) => {
      write(byUser.get(userId) ?? nobody, () => message('own'));
      for (const member of memberIds) write(byUser.get(member) ?? nobody, () => message('shared'));
      const others = [...streams].filter((one) => one.sight === 'all' && one.claim.userId !== userId);
      write(others, () => message('all'));
    },
    broadcast: (message) => write(streams, () => message),
  };
}
