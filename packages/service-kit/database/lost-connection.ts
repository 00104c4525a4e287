import { isQuery } from './query.ts';
import type { Sql } from './sql.ts';

/** The part of a postgres.js connection that we use. */
interface Connection {
  /** Set by `begin` while a transaction has the connection; called as soon as it is lost. */
  onclose: ((error: Error) => void) | null;
}
type Work = (tx: object) => unknown;
type Call = (...args: unknown[]) => unknown;
interface Pool {
  begin: (...args: unknown[]) => Promise<unknown>;
  unsafe: Call;
}
/** Why a transaction has lost its connection; null: it still has it. */
type Loss = () => Error | null;

/**
 * Refuses every statement of a transaction that has lost its connection. The driver alone would run the statement on the next
 * connection, outside of any transaction or inside another one, and its COMMIT or ROLLBACK would end that one. Before the next
 * connection is there, it would throw where nobody can catch it (postgres.js 3.4.9, its issues 1133 and 1216).
 */
export function refuseAfterLoss(sql: Sql): void {
  const pool = sql as unknown as Pool;
  const { begin, unsafe } = pool;
  /** Receives the connection of the transaction that begins now. */
  let onConnection: ((connection: Connection) => void) | null = null;
  // `begin` asks its own pool for BEGIN in this way, before it returns.
  pool.unsafe = (...args) => {
    const [text, parameters, options] = args as [string, unknown[], { onexecute?: Call } | undefined];
    const notify = onConnection;
    const onexecute = options?.onexecute;
    if (!notify || !onexecute) return unsafe(...args);
    const onExecute = (connection: Connection) => {
      notify(connection);
      return onexecute(connection);
    };
    return unsafe(text, parameters, { ...options, onexecute: onExecute });
  };
  pool.begin = (...args) => {
    const work = args.pop() as Work;
    let connection: Connection | undefined;
    onConnection = (one) => {
      connection = one;
    };
    try {
      return begin(...args, async (tx: object) => {
        // The driver sets its own `onclose` first.
        await null;
        return run(work, tx, watch(connection));
      });
    } finally {
      onConnection = null;
    }
  };
}

/** Runs the work of a transaction or savepoint. The driver sends COMMIT or ROLLBACK after it. */
async function run(work: Work, tx: object, loss: Loss): Promise<unknown> {
  try {
    return await work(guard(tx, loss));
  } finally {
    // `begin` has failed already, and the driver must not send its COMMIT or ROLLBACK. Each transaction has a promise of its own
    // here: one that all share would keep every lost transaction in memory.
    if (loss()) await new Promise<never>(() => {});
  }
}

function watch(connection: Connection | undefined): Loss {
  if (!connection?.onclose) throw new Error('postgres.js begins transactions in another way than 3.4.9 does');
  const { onclose } = connection;
  let loss: Error | null = null;
  connection.onclose = (error) => {
    loss = error;
    onclose(error);
  };
  return () => loss;
}

/** A transaction whose statements are refused once its connection is lost. */
function guard(tx: object, loss: Loss): object {
  const checked = (made: unknown) => {
    if (!isQuery(made)) return made;
    const { handler } = made;
    made.handler = (query) => {
      const error = loss();
      if (!error) return handler(query);
      query.catch(() => {});
      query.reject(error);
    };
    return made;
  };
  return new Proxy(tx, {
    apply: (call, self, args) => checked(Reflect.apply(call as Call, self, args)),
    get: (whole, key) => {
      const value = Reflect.get(whole, key);
      if (key === 'unsafe' || key === 'file')
        return (...args: unknown[]) => checked((value as Call).apply(whole, args));
      if (key !== 'savepoint') return value;
      return async (...args: unknown[]) => {
        const error = loss();
        if (error) throw error;
        const work = args.pop() as Work;
        return (value as Call).call(whole, ...args, (inner: object) => run(work, inner, loss));
      };
    },
  });
}
