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
  commandConsumer,
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
  sharingSubject,
  streams,
  tunnelChangedSubject,
} from './subjects.ts';

/** The NATS users: one per process that is on the bus, and the operator who may do everything. */
export const busUserNames = ['gateway', ...serviceNames, 'edge', 'operator'] as const;
export type BusUser = (typeof busUserNames)[number];

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const pullSubjects = (stream: string, consumer: string) => [
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
  `$JS.ACK.${stream}.${consumer}.>`,
];

function permissionsOf(user: BusUser): Permissions {
  if (user === 'operator') return { publish: ['>'], subscribe: ['>'] };
  // The edge belongs to the provider, which stands for somebody outside: it calls nobody and is called by nobody here.
  if (user === 'edge')
    return {
      publish: [tunnelChangedSubject('*'), measuredSubject(user), loggedRequestsSubject, liveRequestsSubject],
      subscribe: [`${inboxPrefix(user)}.>`],
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
        sharingSubject('*'),
      ],
    };
  const ownEvents = Object.entries(events).filter(([, event]) => event.owner === user);
  const ownCommands = Object.entries(commands).filter(([, command]) => command.from === user);
  const received = Object.keys(commands).filter((name) => name.startsWith(`${user}.`)) as CommandName[];
  return {
    publish: [
      ...calls,
      ...repliesOf(user),
      ...ownEvents.map(([name]) => `event.${name}.>`),
      ...ownCommands.map(([name]) => commandSubject(name as CommandName)),
      ...projections[user].flatMap((name: EventName) =>
        pullSubjects(streams.events, projectionConsumer(user, name)),
      ),
      ...received.flatMap((name) => pullSubjects(streams.commands, commandConsumer(name))),
      `$JS.API.STREAM.INFO.${streams.events}`,
      ...(writesAudit(user) ? [auditSubject(user)] : []),
      ...(user === 'stats'
        ? [
            ...pullSubjects(streams.audit, auditConsumer),
            ...pullSubjects(streams.measurements, measuredConsumer),
            ...pullSubjects(streams.requests, requestsConsumer),
            requestsChangedSubject('*', '*'),
          ]
        : []),
      `health.${user}.>`,
      `applied.${user}.>`,
      `user.changed.${user}.>`,
      ...(user === 'auth' ? [preferencesSubject('*')] : []),
      ...(user === 'proxies' ? [measuredSubject(user), sharingSubject('*'), 'settled.>'] : []),
    ],
    subscribe: [
      `rpc.${user}.>`,
      `${inboxPrefix(user)}.>`,
      'applied.>',
      ...(user === 'proxies' ? ['settled.>'] : []),
      ...(user === 'stats' ? [liveRequestsSubject] : []),
      ...(user === 'tunnel-worker' ? [tunnelChangedSubject('*')] : []),
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
  const { publish, subscribe } = permissionsOf(user);
  return { publish: [...publish, probeSubject(user), probeReadSubject], subscribe };
}

/** What each NATS user may do, derived from the contract. */
export function busUsers(): Record<BusUser, Permissions> {
  return Object.fromEntries(busUserNames.map((user) => [user, withProbe(user)])) as Record<
    BusUser,
    Permissions
  >;
}
