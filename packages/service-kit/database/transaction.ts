import { randomUUID } from 'node:crypto';
import {
  type AuditMessage,
  auditMessage,
  type CommandName,
  type CommandOf,
  commands,
  type EventName,
  type EventOf,
  events,
  type Measured,
  measured,
  type ServiceName,
  writesAction,
} from '@talpa/contracts';
import type { CallContext } from '../bus/call-context.ts';
import { auditSubject, commandSubject, eventSubject, measuredSubject } from '../bus/subjects.ts';
import type { CacheVersions } from '../cache-versions.ts';
import { currentScope } from '../telemetry/scope.ts';
import { traceparent } from '../telemetry/tracing.ts';
import { cutUserAgent } from '../text.ts';
import type { Outbox } from './outbox.ts';
import { jsonOf, type Sql, type TransactionSql } from './sql.ts';

/** What a row of the audit trail says beside who did it, when and from where. */
export interface AuditEntry {
  /** Left out: what the call is named in the contract. */
  readonly action?: AuditMessage['action'];
  /** Left out: the caller; null: the system. For calls before the user is signed in. */
  readonly actor?: AuditMessage['actor'];
  readonly target: {
    readonly kind: AuditMessage['target']['kind'];
    readonly id: string | number;
    readonly label: string | null;
  };
  /** Whose data it concerns. */
  readonly subjectUserId: number;
  /** See `changesBetween`; never secrets. */
  readonly changes?: AuditMessage['changes'];
}

/** Who acts in a transaction; without one the system does. */
export type Author = Pick<CallContext, 'actor' | 'audit' | 'client' | 'requestId'>;

/** A running transaction: its statements and what it publishes once committed. */
export interface Tx {
  readonly sql: TransactionSql;
  /** Publishes the new public state of a row. */
  emit<N extends EventName>(name: N, snapshot: EventOf<N>): Promise<void>;
  /** Gives another service an order that is not lost. */
  command<N extends CommandName>(name: N, order: CommandOf<N>): Promise<void>;
  /** Publishes a measurement to the statistics. */
  measure(what: Measured): Promise<void>;
  /** Leaves a row in the audit trail. */
  audit(entry: AuditEntry): Promise<void>;
  /** Invalidates the cached responses of these users. */
  invalidate(...userIds: number[]): void;
  /** Invalidates the cached responses that all users share. */
  invalidateAll(): void;
}

export interface TransactionTools {
  readonly service: ServiceName;
  readonly sql: Sql;
  readonly outbox: Outbox;
  readonly cacheVersions: CacheVersions;
}

/**
 * Runs `work` in a transaction. After COMMIT, and before the caller can answer, the cache versions it
 * invalidated are deleted and the outbox is relayed.
 */
export async function withTransaction<T>(
  tools: TransactionTools,
  work: (tx: Tx) => Promise<T>,
  author?: Author,
): Promise<T> {
  const invalidated = new Set<number | 'global'>();
  const messages: Message[] = [];
  let stored: PromiseLike<unknown> | undefined;
  const result = await tools.sql.begin(async (sql) => {
    // It may run again.
    invalidated.clear();
    messages.length = 0;
    const write = async (subject: string, payload: unknown) => {
      const trace = { requestId: currentScope()?.requestId ?? null, traceparent: traceparent() ?? null };
      messages.push({ subject, payload: jsonOf(sql, payload), ...trace });
    };
    const done = await work({
      sql,
      emit: (name, snapshot) =>
        write(eventSubject(name, String(snapshot.id)), events[name].schema.parse(snapshot)),
      command: (name, order) => write(commandSubject(name), commands[name].schema.parse(order)),
      measure: (what) => write(measuredSubject(tools.service), measured.parse(what)),
      audit: (entry) => write(auditSubject(tools.service), rowOf(tools.service, entry, author)),
      invalidate: (...userIds) => {
        for (const userId of userIds) invalidated.add(userId);
      },
      invalidateAll: () => invalidated.add('global'),
    });
    // COMMIT follows without waiting for the result. After a failed statement Postgres rolls back instead.
    if (messages.length > 0) stored = sql`insert into outbox ${sql(messages)}`.execute();
    return done;
  });
  await stored;
  await tools.cacheVersions.invalidate([...invalidated]);
  if (messages.length > 0) tools.outbox.kick();
  return result as T;
}

function rowOf(service: ServiceName, entry: AuditEntry, author: Author | undefined): AuditMessage {
  const { target, subjectUserId, changes = {} } = entry;
  const action = entry.action ?? author?.audit;
  if (!action) throw new Error('an audit row needs an action: the call has none in the contract');
  if (!writesAction(service, action)) throw new Error(`the contract lets ${service} write no ${action}`);
  const { address, userAgent } = author?.client ?? { address: '', userAgent: '' };
  return auditMessage.parse({
    id: randomUUID(),
    at: new Date().toISOString(),
    service,
    action,
    actor: entry.actor === undefined ? (author?.actor ?? null) : entry.actor,
    // Nobody's: an operator's command line, or a service by itself.
    client: address ? { address, userAgent: cutUserAgent(userAgent) } : null,
    target: { ...target, id: String(target.id) },
    subjectUserId,
    changes,
    requestId: author?.requestId ?? '',
  });
}

/** What is published, written in one go before COMMIT. */
interface Message {
  readonly subject: string;
  readonly payload: ReturnType<TransactionSql['json']>;
  /** On whose behalf, for log lines and traces where it is received. */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}
