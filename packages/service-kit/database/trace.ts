import { errorType, startBelow, traced } from '../telemetry/tracing.ts';
import { isQuery, type Query } from './query.ts';
import type { Sql } from './sql.ts';

type Begin = (...args: unknown[]) => Promise<unknown>;

const longestText = 1_000;

/** Makes every statement that is part of a trace a step of it: its text, never its parameters. */
export function traceStatements(sql: Sql): Sql {
  return wrap(sql);
}

function wrap<F extends object>(target: F): F {
  return new Proxy(target, {
    apply: (call, self, args) => {
      const made = Reflect.apply(call as () => unknown, self, args);
      if (isQuery(made)) traceOnce(made);
      return made;
    },
    get: (whole, key) => {
      const value = Reflect.get(whole, key);
      if (key !== 'begin') return value;
      return (...args: unknown[]) => {
        const work = args.pop() as (tx: object) => unknown;
        return traced('transaction', { kind: 'internal' }, () =>
          (value as Begin).call(whole, ...args, (tx: object) => work(wrap(tx))),
        );
      };
    },
  });
}

function traceOnce(query: Query): void {
  const { handle } = query;
  query.handle = () => {
    if (!query.executed) begin(query);
    return handle.call(query);
  };
}

function begin(query: Query): void {
  const operation = query.strings[0]?.match(/\w+/)?.[0]?.toUpperCase() ?? 'SQL';
  const span = startBelow(operation, {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation },
  });
  if (!span) return;
  const end = () => {
    const text = (query.string ?? query.strings.join('?')).replace(/\s+/g, ' ').trim();
    span.set({ 'db.query.text': text.slice(0, longestText) });
    span.end();
  };
  // Its own `then` would send it.
  Promise.prototype.then.call(query, end, (error: unknown) => {
    span.fail(errorType(error));
    end();
  });
}
