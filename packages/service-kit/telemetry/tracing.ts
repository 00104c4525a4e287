import { perMember } from '../shared-process.ts';
import { currentScope, inScope } from './scope.ts';
import type { ActiveSpan, Attributes } from './span.ts';

export interface SpanFacts {
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  /** A `traceparent` that came from elsewhere; the step under way when left out. */
  readonly parent?: string | undefined;
  readonly attributes?: Attributes;
}

/** What makes spans, where traces are wanted. */
export interface Tracer {
  /** @param local the `traceparent` of the step under way in this process, where `facts` names none from elsewhere */
  start(name: string, facts: SpanFacts, local: string | undefined): ActiveSpan;
}

const own = perMember((): { tracer: Tracer | null } => ({ tracer: null }));

/** Whether spans are made at all. */
export const isTracing = (): boolean => own().tracer !== null;

/** From now on spans are made; with null, none. */
export function useTracer(made: Tracer | null): void {
  own().tracer = made;
}

/** Does something as a step of its own; without tracing just does it. */
export function traced<T>(
  name: string,
  facts: SpanFacts,
  work: (span: ActiveSpan | null) => Promise<T>,
): Promise<T> {
  const { tracer } = own();
  if (!tracer) return work(null);
  const scope = currentScope();
  const span = tracer.start(name, facts, scope?.span?.traceparent);
  return inScope({ ...scope, span }, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A step below the one under way, to be ended by the caller that began it; null where no trace is. */
export function startBelow(name: string, facts: SpanFacts): ActiveSpan | null {
  const above = currentScope()?.span;
  const { tracer } = own();
  return tracer && above ? tracer.start(name, facts, above.traceparent) : null;
}

/** The header that continues this trace elsewhere. */
export const traceparent = (): string | undefined => currentScope()?.span?.traceparent;

/** A code where there is one: an error's words may say more than a trace should. */
export function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'error');
}
