import type { LiveMessage } from '@talpa/contracts';
import { holdStream, type Listener } from './connection.ts';

type Said =
  | { readonly kind: 'message'; readonly message: LiveMessage }
  | { readonly kind: 'live'; readonly isLive: boolean }
  | { readonly kind: 'refused' }
  /** From a tab that has just been opened. */
  | { readonly kind: 'ask' };

/**
 * Shares one stream with the browser's other tabs of the same user: browsers allow six connections
 * to a server, and each stream is one. The tab that holds the lock holds the stream; when it goes another does.
 */
export function shareStream(userId: number, listener: Listener, refused: () => void): () => void {
  const name = `talpa-live-${userId}`;
  const channel = new BroadcastChannel(name);
  const stop = new AbortController();
  let lead: { isLive: boolean } | null = null;
  const post = (said: Said) => channel.postMessage(said);
  const receive = (said: Said) => {
    if (said.kind === 'message') listener.message(said.message);
    if (said.kind === 'live') listener.live(said.isLive);
    if (said.kind === 'refused') refused();
  };
  const broadcast = (said: Said) => {
    post(said);
    receive(said);
  };
  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind !== 'ask') receive(data);
    else if (lead) post({ kind: 'live', isLive: lead.isLive });
  };
  const takeLead = () => {
    const own = { isLive: false };
    lead = own;
    return holdStream(
      {
        message: (message) => broadcast({ kind: 'message', message }),
        live: (isLive) => {
          own.isLive = isLive;
          broadcast({ kind: 'live', isLive });
        },
      },
      () => broadcast({ kind: 'refused' }),
    );
  };
  // Locks are there on https and localhost only: elsewhere each tab has a stream while it is looked at.
  if (navigator.locks) void leadInTurn(name, stop.signal, takeLead);
  else holdWhileVisible(listener, refused, stop.signal);
  post({ kind: 'ask' });
  return () => {
    stop.abort();
    channel.close();
  };
}

async function leadInTurn(name: string, signal: AbortSignal, takeLead: () => () => void): Promise<void> {
  try {
    await navigator.locks.request(name, { signal }, async () => {
      if (signal.aborted) return;
      const leave = takeLead();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      leave();
    });
  } catch (error) {
    // Given up before it was our turn.
    if (!signal.aborted) throw error;
  }
}

function holdWhileVisible(listener: Listener, refused: () => void, signal: AbortSignal): void {
  let leave: (() => void) | null = null;
  const look = () => {
    const isWanted = !signal.aborted && document.visibilityState === 'visible';
    if (isWanted && !leave) leave = holdStream(listener, refused);
    if (isWanted || !leave) return;
    leave();
    leave = null;
    listener.live(false);
  };
  document.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', look);
  look();
}
