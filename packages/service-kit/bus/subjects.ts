import type { CommandName, EventName, ServiceName } from '@talpa/contracts';

/** Every subject on the bus is made here. */

/**
 * Where a call is sent. It names its caller, whom NATS lets publish under no other name.
 * @param call `<service>.<verb>`
 */
export const rpcSubject = (call: string, caller: string) => `rpc.${call}.${caller}`;
/** Where a service takes the calls of a verb, from any caller. */
export const rpcSubjects = (call: string) => rpcSubject(call, '*');
/** Who sent a call, a row of the audit trail or a measurement: NATS lets nobody publish under another name. */
export const senderOf = (subject: string) => subject.slice(subject.lastIndexOf('.') + 1);
export const eventSubject = (name: EventName, id: string) => `event.${name}.${id}`;
/** Of these the stream keeps the last alone. */
export const isSnapshot = (subject: string) => subject.startsWith('event.');
export const commandSubject = (name: CommandName) => `command.${name}`;
/** Rows of the audit trail, on their way to the one who keeps it. */
export const auditSubject = (service: ServiceName) => `audit.${service}`;
/** Measurements, on their way to the statistics. */
export const measuredSubject = (user: ServiceName | 'edge') => `measured.${user}`;
/** Visitors’ requests on their way to the statistics, which store them. */
export const loggedRequestsSubject = 'requests.logged';
/** The same of logs that are not stored. A core message: each process of the statistics holds them in memory. */
export const liveRequestsSubject = 'requests.live';
/** A proxy’s request log has new entries. A core message: who shows it fetches them. */
export const requestsChangedSubject = (userId: number | '*', proxyId: number | '*') =>
  `requests.changed.${userId}.${proxyId}`;
/** Who is in a proxy has changed. A core message: who shows it fetches it. */
export const visitsSubject = (userId: number | '*', proxyId: number | '*') => `visits.${userId}.${proxyId}`;
/** What a process writes to see whether JetStream works. */
export const probeSubject = (user: string) => `probe.${user}`;
/** A projection has applied a snapshot. Core messages: a caller that waits has subscribed already. */
export const appliedSubject = (service: string, name: EventName, id: string) =>
  `applied.${service}.${name}.${id}`;
/** A service has committed something about a user. A core message: open streams look again, others need not. */
export const userChangedSubject = (service: string, userId: number | '*') =>
  `user.changed.${service}.${userId}`;
/** Something was seen of a proxy's connector or origin. A core message: who shows it fetches it. */
export const healthSubject = (service: string, userId: number | '*', proxyId: number | '*') =>
  `health.${service}.${userId}.${proxyId}`;
/** A server, its tunnel or its connector has changed. A core message: who shows it fetches it. */
export const serverSubject = (userId: number | '*', serverId: number | '*') =>
  `servers.proxies.${userId}.${serverId}`;
/** A user has saved their preferences. A core message: who shows them fetches them. */
export const preferencesSubject = (userId: number | '*') => `preferences.auth.${userId}`;
/** What a user is a member of, or invited to, has changed. A core message: who shows it fetches it. */
export const sharingSubject = (userId: number | '*') => `sharing.proxies.${userId}`;
/** A tunnel's connections have changed. A core message, for speed alone: its subscribers also poll now and then. */
export const tunnelChangedSubject = (tunnelId: string) => `tunnel.changed.${tunnelId}`;
/** A proxy's, or a server's, desired state has been reached, or refused. */
export const settledSubject = (what: string) => `settled.${what}`;

export const streams = {
  /** The last snapshot of every row: projections can always be rebuilt from it. */
  events: 'EVENTS',
  audit: 'AUDIT',
  measurements: 'MEASUREMENTS',
  requests: 'REQUESTS',
  /** What processes write and read back to see whether JetStream works. */
  probes: 'PROBES',
} as const;

/**
 * Where a process reads its probe back. Not a direct get: that sends what was written, as it is, to whatever reply
 * subject the reader names, and NATS does not check those. This one wraps it in a response of its own.
 */
export const probeReadSubject = `$JS.API.STREAM.MSG.GET.${streams.probes}`;

/** The stream of the commands to one service. Not one for all: who may acknowledge a message of a stream can remove any. */
export const commandStream = (service: string) => `COMMANDS-${service}`;
/** Where earlier versions kept all of them. */
export const formerCommandStream = 'COMMANDS';
export const projectionConsumer = (service: string, name: EventName) => `${service}-${name}`;
/** The durable consumer of a command, and its stream. */
export const commandSource = (name: CommandName) => ({
  stream: commandStream(serviceOf(name)),
  durable: name.replace('.', '-'),
});
/** The one who keeps the audit trail. */
export const auditConsumer = 'stats-audit';
/** The one who keeps history. */
export const measuredConsumer = 'stats-measured';
/** The one who keeps request logs. */
export const requestsConsumer = 'stats-requests';
export const inboxPrefix = (user: string) => `_INBOX.${user}`;
/** Where a service answers a caller: no other service may publish there. */
export const replyPrefix = (caller: string, service: string) => `${inboxPrefix(caller)}.${service}.`;
/** The service that serves a call. */
export const serviceOf = (call: string) => call.slice(0, call.indexOf('.'));
