import {
  busCalls,
  type CommandName,
  commands,
  type EventName,
  events,
  projections,
  serviceNames,
} from '@talpa/contracts';
import {
  auditConsumer,
  auditSubject,
  commandSource,
  commandSubject,
  inboxPrefix,
  liveRequestsSubject,
  loggedRequestsSubject,
  measuredConsumer,
  measuredSubject,
  preferencesSubject,
  probeReadSubject,
  probeSubject,
  projectionConsumer,
  replyPrefix,
  requestsChangedSubject,
  requestsConsumer,
  rpcSubject,
  serverSubject,
  sharingSubject,
  streams,
  tunnelChangedSubject,
  visitsSubject,
} from './subjects.ts';

/** The NATS users: one per process that is on the bus, and the operator who may do everything. */
export const busUserNames = ['gateway', ...serviceNames, 'edge', 'operator'] as const;
export type BusUser = (typeof busUserNames)[number];

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** What it publishes to the account of JetStream, through an account of its own that imports exactly these. */
  readonly streams: readonly string[];
}

const nextMessages = '$JS.API.CONSUMER.MSG.NEXT.';
/** Whether several messages respond to one on this subject. */
export const hasManyResponses = (subject: string) => subject.startsWith(nextMessages);

const pullOf = ({ stream, durable }: ReturnType<typeof commandSource>) => pullSubjects(stream, durable);

const pullSubjects = (stream: string, consumer: string) => [
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `${nextMessages}${stream}.${consumer}`,
  `$JS.ACK.${stream}.${consumer}.>`,
];

function permissionsOf(user: BusUser): Permissions {
  if (user === 'operator') return { publish: ['>'], subscribe: ['>'], streams: ['>'] };
  // The edge belongs to the provider, which stands for somebody outside: it calls nobody and is called by nobody here.
  if (user === 'edge')
    return {
      publish: [tunnelChangedSubject('*'), liveRequestsSubject],
      subscribe: [`${inboxPrefix(user)}.>`],
      streams: [measuredSubject(user), loggedRequestsSubject],
    };
  const calls = busCalls
    .filter((call) => call.from.includes(user))
    .map((call) => rpcSubject(call.subject, user));
  if (user === 'gateway')
    return {
      publish: calls,
      subscribe: [
        `${inboxPrefix(user)}.>`,
        'event.>',
        'applied.>',
        'user.changed.>',
        'health.>',
        requestsChangedSubject('*', '*'),
        preferencesSubject('*'),
        serverSubject('*', '*'),
        sharingSubject('*'),
        visitsSubject('*', '*'),
      ],
      streams: [],
    };
  const ownEvents = Object.entries(events)
    .filter(([, event]) => event.owner === user)
    .map(([name]) => `event.${name}.>`);
  const ownCommands = Object.entries(commands).filter(([, command]) => command.from === user);
  const received = Object.keys(commands).filter((name) => name.startsWith(`${user}.`)) as CommandName[];
  return {
    publish: [
      ...calls,
      ...repliesOf(user),
      ...ownEvents,
      `health.${user}.>`,
      `applied.${user}.>`,
      `user.changed.${user}.>`,
      ...(user === 'stats' ? [requestsChangedSubject('*', '*')] : []),
      ...(user === 'auth' ? [preferencesSubject('*')] : []),
      ...(user === 'proxies'
        ? [serverSubject('*', '*'), sharingSubject('*'), visitsSubject('*', '*'), 'settled.>']
        : []),
    ],
    subscribe: [
      `rpc.${user}.>`,
      `${inboxPrefix(user)}.>`,
      'applied.>',
      ...(user === 'proxies' ? ['settled.>'] : []),
      ...(user === 'stats' ? [liveRequestsSubject] : []),
      ...(user === 'tunnel-worker' ? [tunnelChangedSubject('*')] : []),
    ],
    streams: [
      ...ownEvents,
      ...ownCommands.map(([name]) => commandSubject(name as CommandName)),
      ...projections[user].flatMap((name: EventName) =>
        pullSubjects(streams.events, projectionConsumer(user, name)),
      ),
      ...received.flatMap((name) => pullOf(commandSource(name))),
      `$JS.API.STREAM.INFO.${streams.events}`,
      ...(writesAudit(user) ? [auditSubject(user)] : []),
      ...(user === 'proxies' ? [measuredSubject(user)] : []),
      ...(user === 'stats'
        ? [
            ...pullSubjects(streams.audit, auditConsumer),
            ...pullSubjects(streams.measurements, measuredConsumer),
            ...pullSubjects(streams.requests, requestsConsumer),
            ...[streams.audit, streams.measurements, streams.requests].map(
              (name) => `$JS.API.STREAM.INFO.${name}`,
            ),
          ]
        : []),
    ],
  };
}

/** Who keeps the trail writes nothing there: what a user both writes and receives, it can have NATS deliver anywhere. */
const writesAudit = (user: BusUser) =>
  busCalls.some(({ subject, audit }) => audit !== null && subject.startsWith(`${user}.`));

/**
 * Its own part of the inboxes of those who call it: no other user can forge its responses. Not NATS's `allow_responses`: with every reload of its configuration the server
 * forgets whom it had allowed to answer, and calls under way would end in silence.
 */
const repliesOf = (user: BusUser) =>
  [...new Set(busCalls.flatMap((call) => (call.subject.startsWith(`${user}.`) ? call.from : [])))].map(
    (caller) => `${replyPrefix(caller, user)}>`,
  );

/** Every user may check whether JetStream works. */
function withProbe(user: BusUser): Permissions {
  const permissions = permissionsOf(user);
  return { ...permissions, streams: [...permissions.streams, probeSubject(user), probeReadSubject] };
}

/** What each NATS user may do, derived from the contract. */
export function busUsers(): Record<BusUser, Permissions> {
  return Object.fromEntries(busUserNames.map((user) => [user, withProbe(user)])) as Record<
    BusUser,
    Permissions
  >;
}
