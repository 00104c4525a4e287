import type { LiveMessage } from '@talpa/contracts';
import { requestOf } from '../api/call.ts';

/** Who receives the stream's messages. */
export interface Listener {
  message(message: LiveMessage): void;
  /** Whether the stream is open now: what is not sent has not happened. */
  live(isLive: boolean): void;
}

const { url } = requestOf('GET /api/events', {});
const shortestMs = 1_000;
const longestMs = 30_000;

/** Holds the live stream open until it is closed. A refusal may mean that the session has ended. */
export function holdStream(listener: Listener, refused: () => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const openLater = () => {
    source?.close();
    clearTimeout(timer);
    const delay = Math.min(shortestMs * 2 ** failures, longestMs);
    timer = setTimeout(open, delay * (0.5 + Math.random() / 2));
    failures += 1;
  };
  function open() {
    clearTimeout(timer);
    source?.close();
    const stream = new EventSource(url);
    source = stream;
    let isOpen = false;
    stream.onmessage = ({ data }) => {
      const message = JSON.parse(data) as LiveMessage;
      failures = 0;
      // The first message says no more than that.
      if (isOpen) listener.message(message);
      else listener.live(true);
      isOpen = true;
      if (message.type !== 'sessionEnded') return;
      listener.live(false);
      openLater();
    };
    stream.onerror = () => {
      listener.live(false);
      // What broke comes again by itself, what was refused does not.
      if (stream.readyState !== EventSource.CLOSED) return;
      refused();
      openLater();
    };
  }
  // Waiting longer than the network was away would be waiting for nothing.
  const openIfWaiting = () => source?.readyState !== EventSource.OPEN && open();
  window.addEventListener('online', openIfWaiting);
  open();
  return () => {
    window.removeEventListener('online', openIfWaiting);
    clearTimeout(timer);
    source?.close();
  };
}
