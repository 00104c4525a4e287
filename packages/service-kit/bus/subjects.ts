import type { CommandName, EventName, ServiceName } from '@talpa/contracts';

/** Every subject on the bus is made here. */
export const rpcSubject = (call: string) => `rpc.${call}`;
export const eventSubject = (name: EventName, id: string) => `event.${name}.${id}`;
export const commandSubject = (name: CommandName) => `command.${name}`;
/** Rows of the audit trail, on their way to the one who keeps it. */
export const auditSubject = (service: ServiceName) => `audit.${service}`;
/** A copy has taken over a snapshot. Core messages: whoever waits is listening already. */
export const appliedSubject = (service: string, name: EventName, id: string) =>
  `applied.${service}.${name}.${id}`;
/** A service has committed something about a user. A core message: open streams look again, others need not. */
export const touchedSubject = (service: string, userId: number | '*') => `touched.${service}.${userId}`;
/** A tunnel's connections have changed. A core message, for speed alone: whoever needs it looks now and then too. */
export const tunnelChangedSubject = (tunnelId: string) => `tunnel.changed.${tunnelId}`;
/** A proxy's wanted state has been reached, or refused. */
export const settledSubject = (proxyUuid: string) => `settled.${proxyUuid}`;

export const streams = {
  /** The last snapshot of every row: copies can always be built anew from it. */
  events: 'EVENTS',
  commands: 'COMMANDS',
  audit: 'AUDIT',
} as const;

export const copyConsumer = (service: string, name: EventName) => `${service}-${name}`;
export const commandConsumer = (name: CommandName) => name.replace('.', '-');
/** The one who keeps the audit trail. */
export const auditConsumer = 'stats-audit';
export const inboxPrefix = (user: string) => `_INBOX.${user}`;
