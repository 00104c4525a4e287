/** What happens to the session, as this tab does it or hears of it. */
export type SessionNote =
  /** A call is under way that ends it on purpose; `staying`: it was refused. */
  | 'leaving'
  | 'staying'
  | 'signedOut'
  | 'signedIn'
  /** The server says that it has ended. */
  | 'ended';
/** Why nobody is signed in any more: on purpose, ended elsewhere, or it was found to be over. */
export type SessionEnd = 'onPurpose' | 'ended' | 'expired';

let last: SessionNote = 'signedIn';

/** Remembers what happened to the session. What comes after leaving on purpose is its consequence. */
export function noteSession(note: SessionNote): void {
  if (note === 'ended' && (last === 'leaving' || last === 'signedOut')) return;
  last = note;
}

/** Why the last session is over. */
export function sessionEnd(): SessionEnd {
  if (last === 'leaving' || last === 'signedOut') return 'onPurpose';
  return last === 'ended' ? 'ended' : 'expired';
}

let opened: BroadcastChannel | undefined;
const channel = () => (opened ??= new BroadcastChannel('talpa-session'));

/** Tells the browser's other tabs. */
export function tellOtherTabs(note: Exclude<SessionNote, 'ended'>): void {
  channel().postMessage(note);
}

/** Hears the browser's other tabs; notes come first. */
export function hearOtherTabs(hear: (note: 'signedOut' | 'signedIn') => void): () => void {
  const listen = ({ data }: MessageEvent<Exclude<SessionNote, 'ended'>>) => {
    noteSession(data);
    if (data === 'signedOut' || data === 'signedIn') hear(data);
  };
  channel().addEventListener('message', listen);
  return () => channel().removeEventListener('message', listen);
}
