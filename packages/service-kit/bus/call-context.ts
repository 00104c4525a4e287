import type { Actor, AuditAction, ProxyRole } from '@talpa/contracts';
import type { Log } from '../log.ts';
import type { CallInfo } from './message.ts';

/** What a page has beside its rows. */
export interface PageFacts {
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
  /** How many rows the list has, or `1000+`; null where nobody asks. */
  readonly total: string | null;
}

/** What every verb gets beside its service's own parts. */
export interface CallContext extends CallInfo {
  /** Who acts; null: nobody is signed in, or a process calls for itself (`caller`). */
  readonly actor: Actor | null;
  /** The NATS user that sent the call: `gateway`, `operator`, or a service. */
  readonly caller: string;
  /** What the actor must at least be to the proxy that the call names; null: the call names none. */
  readonly role: ProxyRole | null;
  /** What the audit trail calls it; null: the verb says so itself, or writes nothing there. */
  readonly audit: AuditAction | null;
  readonly log: Log;
  /** Causes a session cookie. */
  setSession(jwt: string): void;
  /** Says that the response is true only until then (ISO 8601; null: no end is known): nobody caches it longer. */
  freshUntil(time: string | null): void;
  /** Says where a list goes on, and how long it is. */
  setPage(page: PageFacts): void;
  /** Waits without holding a worker slot. */
  whileWaiting<T>(wait: Promise<T>): Promise<T>;
}
