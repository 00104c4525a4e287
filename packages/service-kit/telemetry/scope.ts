import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActiveSpan } from './span.ts';

/** What is being served: every log line and every message to others that comes of it names it. */
export interface Scope {
  readonly requestId?: string | undefined;
  /** The call, consumer or run that serves it here. */
  readonly call?: string;
  readonly span?: ActiveSpan;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Does something on behalf of a request; what it starts belongs to it too. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/** What is being served now, if anything is. */
export const currentScope = (): Scope | undefined => scopes.getStore();

/** Does something that merely happens to be started by a request. */
export const outOfScope = <T>(work: () => T): T => scopes.exit(work);

/** What a log line says of the request it belongs to. */
export function scopeForLog(): Record<string, string> {
  const scope = scopes.getStore();
  if (!scope) return {};
  const { requestId, call, span } = scope;
  return {
    ...(requestId ? { requestId } : {}),
    ...(call ? { call } : {}),
    ...(span ? { traceId: span.traceId } : {}),
  };
}
