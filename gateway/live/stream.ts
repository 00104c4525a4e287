import type { ServerResponse } from 'node:http';
import { type Actor, eventStream } from '@talpa/contracts';
import type { SessionToken } from '@talpa/service-kit/session/token';
import { counter } from '@talpa/service-kit/telemetry/metrics';
import type { Headers } from '../security/headers.ts';

/** Whose changes a reader is sent: of all users, their own, or those of their account alone until they have the second factor that SECOND_FACTOR asks for. */
export type Sight = 'all' | 'own' | 'account';

export const sightOf = ({ isAdmin, lacksFactor }: Pick<Actor, 'isAdmin' | 'lacksFactor'>): Sight => {
  if (lacksFactor) return 'account';
  return isAdmin ? 'all' : 'own';
};

/** One open stream: who reads it, and how to write to it. */
export interface LiveStream {
  readonly claim: SessionToken;
  /** As of the last look at their session. */
  sight: Sight;
  /** Writes; who does not read fast enough is cut off, and fetches again when they are back. */
  write(bytes: Uint8Array): void;
  /** Ends the stream; the browser comes again by itself. */
  end(): void;
}

/** nginx buffers responses unless this header forbids it. */
const streamHeaders: Headers = {
  'content-type': `${eventStream}; charset=utf-8`,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};
const cutOff = counter('talpa_live_cut_off_total', 'Live streams cut off because their reader was too slow');
/** Who has lost us comes again after a second to three, not all at once. */
const retryMs = () => 1_000 + Math.round(Math.random() * 2_000);

/**
 * Opens a stream as the response of a request.
 * @param limit how many bytes may wait for a reader.
 * @param gone called once, when it has ended, by either side.
 */
export function openStream(
  response: ServerResponse,
  who: { readonly claim: SessionToken; readonly sight: Sight },
  limit: number,
  gone: (stream: LiveStream) => void,
): LiveStream {
  const stream: LiveStream = {
    ...who,
    write: (bytes) => {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength > limit) {
        cutOff.inc();
        response.destroy();
      } else response.write(bytes);
    },
    end: () => {
      response.end();
    },
  };
  response.once('close', () => gone(stream));
  response.on('error', () => {});
  response.writeHead(200, streamHeaders);
  response.write(`retry: ${retryMs()}\n\n`);
  return stream;
}
