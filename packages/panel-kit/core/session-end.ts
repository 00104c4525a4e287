/** What happens to the session, as this tab does it or is notified of it. */
export type SessionChange =
  /** A call is under way that ends it on purpose; `staying`: it was refused. */
  | 'leaving'
  | 'staying'
  | 'signedOut'
  | 'signedIn'
  /** The server says that it has ended. */
  | 'ended';
/** Why nobody is signed in any more: on purpose, ended elsewhere, or it was found to be over. */
export type SessionEnd = 'onPurpose' | 'ended' | 'expired';

let last: SessionChange = 'signedIn';
/** Counts the sessions of this tab: a request of one gets no response in the next. */
let current = 0;

/** Stores what happened to the session. What comes after leaving on purpose is its consequence. */
export function trackSession(change: SessionChange): void {
  if (change === 'ended' && (last === 'leaving' || last === 'signedOut')) return;
  if (change === 'signedIn' || change === 'signedOut') current += 1;
  last = change;
}

const listeners = new Set<() => void>();

/** Calls back when a response says that the session is over. */
export function onSessionLost(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session as it is now, for `loseSession` and `inThisSession`. */
export const currentSession = (): number => current;

/** A response says that nobody is signed in. It says nothing about a session that began after the question. */
export function loseSession(askedIn: number): void {
  if (askedIn !== current) return;
  current += 1;
  for (const listener of listeners) listener();
}

/** A promise that never settles, for code whose screen is being replaced by the sign-in page. */
export const never = <T>(): Promise<T> => new Promise(() => {});

/** A response, unless the session changes before it comes: the screen that waits for it is gone then. */
export function inThisSession<T>(response: Promise<T>): Promise<T> {
  const askedIn = current;
  const isOver = () => askedIn !== current;
  return response.then(
    (value) => (isOver() ? never<T>() : value),
    (error: unknown) => {
      if (isOver()) return never<T>();
      throw error;
    },
  );
}

/** Why the last session is over. */
export function sessionEnd(): SessionEnd {
  if (last === 'leaving' || last === 'signedOut') return 'onPurpose';
  return last === 'ended' ? 'ended' : 'expired';
}

let opened: BroadcastChannel | undefined;
const channel = () => (opened ??= new BroadcastChannel('talpa-session'));

/** What a tab sends to the others. */
interface TabMessage {
  readonly change: Exclude<SessionChange, 'ended'>;
  /** Who has signed in. */
  readonly userId?: number | undefined;
}

/** Notifies the browser's other tabs. */
export function notifyOtherTabs(change: TabMessage['change'], userId?: number): void {
  channel().postMessage({ change, userId } satisfies TabMessage);
}

/** Listens to the browser's other tabs; what has changed comes first. */
export function listenToOtherTabs(
  onChange: (change: 'signedOut' | 'signedIn', userId: number | undefined) => void,
): () => void {
  const listen = ({ data: { change, userId } }: MessageEvent<TabMessage>) => {
    trackSession(change);
    if (change === 'signedOut' || change === 'signedIn') onChange(change, userId);
  };
  channel().addEventListener('message', listen);
  return () => channel().removeEventListener('message', listen);
}
