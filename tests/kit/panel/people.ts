import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Preferences, RequestOf, Routes } from '@talpa/contracts';
import type { Talpa } from '../../../launcher/system.ts';
import { Client } from '../client.ts';
import { type RunningConnector, startOurs } from '../connector/connectors.ts';
import { endPlan } from '../plans.ts';
import { ask } from '../raw-http.ts';
import { loseTunnel, providerOf } from '../tunnels.ts';
import { until } from '../wait.ts';
import { settleAnnouncements } from './announcements.ts';
import { mailReaders, settleMails } from './mails.ts';
import { shareProxy } from './members.ts';
import { notificationReader, settleNotifications } from './notifications.ts';
import { publishPast } from './past.ts';

type Plan = 'free' | 'basic' | 'premium' | 'enterprise';
/** Who the screens belong to, and the plan each has taken. */
const people = {
  /** Has just come. */
  newcomer: { username: 'nina.neumann', plan: null },
  starter: { username: 'tom_starter', plan: 'free' },
  /** Has a bit of everything. */
  host: { username: 'lukas.lehmann', plan: 'premium' },
  full: { username: 'marie-k', plan: 'basic' },
  ending: { username: 'oskar99', plan: 'premium' },
  /** Has the longest name there can be. */
  expired: { username: 'jana.brandenburg-von-hohenstein_', plan: 'enterprise' },
  suspended: { username: 'spammer_4711', plan: 'basic' },
} as const satisfies Record<string, { username: string; plan: Plan | null }>;
export type PersonName = keyof typeof people | 'admin';

/** The host's proxies by the state they are in. */
const servers = {
  connected: 'Los Santos Life RP',
  offline: 'Nordstadt Roleplay',
  gone: 'Testserver',
  moving: 'Küstenwache 24/7',
  blocked: 'Vice City Streetrace & Drift Community Deutschland',
  pending: 'Liberty County',
} as const;
export type ServerName = keyof typeof servers;
export const serverNames: Readonly<Record<ServerName, string>> = servers;
/** The proxies of the one whose plan is full, and of the one who is suspended. */
const fullServers = ['Dorf-RP', 'Rettungsdienst Süd', 'Event-Server'];
const suspendedServer = 'Sichere-Bank-Service';
const endingServer = 'Grand Theft Hamburg';
/** The second one on the host's machine. */
export const joinedName = 'Blaine County';
/** Machines by the name that their owners have given them: the host's, and one without a proxy of the one whose plan ends. */
export const machineNames = { host: 'fsn1-game-07', ending: 'Reserve im Keller' } as const;
/** Every name that people have given to something, and their own where others see them. */
export const givenNames: readonly string[] = [
  ...Object.values(servers),
  ...fullServers,
  ...[...Object.values(machineNames), joinedName],
  ...[suspendedServer, endingServer, people.full.username, people.ending.username],
];

/** All of them, signed in, and the ids of the host's proxies. */
export interface World {
  readonly clients: Readonly<Record<PersonName, Client>>;
  readonly userIds: Readonly<Record<PersonName, number>>;
  readonly proxyIds: Readonly<Record<ServerName, number>>;
  /** Those of the machines, and of the server of a proxy that is shared. */
  readonly serverIds: Readonly<Record<keyof typeof machineNames | 'shared', number>>;
  /** The secret of a link that invites to one of them. */
  readonly joinToken: string;
  /** Lets one of them save a theme and an accent, if they have others. */
  wear(name: PersonName, appearance: Preferences['appearance']): Promise<void>;
  stop(): Promise<void>;
}

export const peoplesPassword = 'maulwurfshuegel-7';
type ProxyInput = RequestOf<Routes['POST /api/tunnel-configs']>;
/** An address and a subdomain as long as they can be. */
const longest: Partial<ProxyInput> = {
  serverIP: '2001:0db8:85a3:1234:5678:8a2e:0370:7334',
  customUrl: 'vice-city-streetrace-und-drift-community-deutschland-offiziell1',
};
const reason = 'Über diese Adresse wurden Phishing-Seiten verbreitet.';

async function register(base: string, name: keyof typeof people): Promise<[PersonName, Client]> {
  const client = new Client(base);
  const { username, plan } = people[name];
  await client.call('POST /api/register', { username, password: peoplesPassword });
  if (plan) await client.call('POST /api/user/subscription', { planId: plan });
  return [name, client];
}

/** An admin panel as it may run behind a tunnel. */
async function startPanel() {
  const server = createServer((_request, response) => response.end('<h1>txAdmin</h1>'.repeat(900)));
  // txAdmin's own port, where it is free.
  const listen = (port: number) =>
    new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
  await listen(40_120).catch(() => listen(0));
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() };
}

/** What their panel is set to: a tunnel that is pending stays so, however long one looks at it. */
export const peopleSettings = { PROVISION_ATTEMPTS: '1000' };

/** Fills a new system with people whose screens show every state there is, all of it by the API. */
export async function settlePeople(talpa: Talpa, admin: Client): Promise<World> {
  const names = Object.keys(people) as (keyof typeof people)[];
  const clients = Object.fromEntries([
    ...(await Promise.all(names.map((name) => register(talpa.url, name)))),
    ['admin', admin] as const,
  ]) as Record<PersonName, Client>;
  const panel = await startPanel();
  const { host, full, suspended } = clients;
  const create = async (owner: Client, serverName: string, port = 40_120, more: Partial<ProxyInput> = {}) =>
    (
      await owner.call('POST /api/tunnel-configs', {
        serverName,
        serverIP: '127.0.0.1',
        adminPort: port,
        ...more,
      })
    ).proxy;

  const connected = await create(host, servers.connected, panel.port);
  const { offline, gone, moving, blocked } = {
    offline: await create(host, servers.offline),
    gone: await create(host, servers.gone, 30_120),
    moving: await create(host, servers.moving),
    blocked: await create(host, servers.blocked, 8080, longest),
  };
  for (const name of fullServers) await create(full, name);
  const joinToken = await shareProxy(host, offline.id, { member: full, invited: clients.ending });
  await create(suspended, suspendedServer);
  await create(clients.ending, endingServer);
  await create(clients.expired, 'Altes Projekt');

  await settleMails(talpa, admin, { de: clients[mailReaders.de], en: clients[mailReaders.en] });
  const first = await connect(talpa, host, connected, panel.port);
  await first.stop();
  const isInactive = ({ id, status }: { id: number; status: string }) =>
    id === connected.id && status === 'inactive';
  await until('the panel to know', async () =>
    (await host.call('GET /api/tunnel-configs', {})).some(isInactive),
  );
  const connector = await connect(talpa, host, connected, panel.port);
  await publishPast(talpa, host, connected);
  const me = await suspended.call('GET /api/user', {});
  await admin.call('POST /api/admin/users/:id/suspension', { id: me.id, reason });
  await admin.call('POST /api/admin/tunnel-configs/:id/suspension', { id: blocked.id, reason });
  const day = 86_400_000;
  await endPlan(talpa, clients.ending, new Date(Date.now() + 3 * day));
  await endPlan(talpa, clients.expired, new Date(Date.now() - 2 * day));

  await host.call('PUT /api/servers/:id', { id: connected.serverId, name: machineNames.host });
  await create(host, joinedName, panel.port, { serverId: connected.serverId });
  const reserve = await clients.ending.call('POST /api/servers', { name: machineNames.ending });

  await inviteFriends(talpa.url, admin);
  await settleAnnouncements(admin);
  await settleNotifications(talpa, clients[notificationReader]);

  const provider = providerOf(talpa);
  await loseTunnel(talpa, gone.cfTunnelId);
  // From here on the provider is too slow to make or change anything.
  for (const operation of ['createTunnel', 'putConfiguration', 'createRecord', 'editRecord', 'replaceRecord'])
    await provider.fault({ match: { operation }, fault: 'delay', ms: 600_000 });
  const [pending] = await Promise.all([
    create(host, servers.pending),
    host.call('PUT /api/tunnel-configs/:id', {
      id: moving.id,
      serverName: moving.serverName,
      serverIP: '127.0.0.1',
      adminPort: 40_121,
    }),
  ]);
  const userIds = Object.fromEntries(
    await Promise.all(
      Object.entries(clients).map(async ([name, client]) => [
        name,
        (await client.call('GET /api/user', {})).id,
      ]),
    ),
  ) as World['userIds'];
  const worn: Partial<Record<PersonName, { readonly what: string; readonly saved: Promise<unknown> }>> = {};
  return {
    clients,
    userIds,
    joinToken,
    serverIds: { host: connected.serverId, ending: reserve.id, shared: offline.serverId },
    proxyIds: {
      connected: connected.id,
      offline: offline.id,
      gone: gone.id,
      moving: moving.id,
      blocked: blocked.id,
      pending: pending.id,
    },
    wear: async (name, { theme, accentColor }) => {
      const what = `${theme} ${accentColor}`;
      if (worn[name]?.what !== what) {
        const appearance = { theme, accentColor };
        worn[name] = { what, saved: clients[name].call('POST /api/user/preferences', { appearance }) };
      }
      await worn[name]?.saved;
    },
    stop: async () => {
      panel.stop();
      await connector.kill();
    },
  };
}

/** The notes of invitations: one that lasts, one that was used, one that was revoked. */
export const invitationNotes = {
  open: 'Freunde aus dem Forum',
  used: 'Für Jan Petersen (Nordstadt Roleplay), der im Oktober danach gefragt hat',
  revoked: 'Herbstaktion',
} as const;

async function inviteFriends(base: string, admin: Client): Promise<void> {
  const invite = (note: string, more: RequestOf<Routes['POST /api/admin/invitations']>) =>
    admin.call('POST /api/admin/invitations', { note, ...more });
  await invite(invitationNotes.open, { subscriptionTier: 'premium', months: 3, uses: 25 });
  const { code } = await invite(invitationNotes.used, { subscriptionTier: 'basic' });
  await new Client(base).call('POST /api/register', {
    ...{ username: 'jan.petersen', password: peoplesPassword, invitation: code },
  });
  const { invitation } = await invite(invitationNotes.revoked, { uses: 100 });
  await admin.call('DELETE /api/admin/invitations/:id', { id: invitation.id });
}

type Created = { readonly id: number; readonly cfDomain: string };

/** Connects a server to its tunnel and lets visitors come. */
async function connect(
  talpa: Talpa,
  owner: Client,
  proxy: Created,
  originPort: number,
): Promise<RunningConnector> {
  const { edge } = talpa;
  if (!edge) throw new Error('there is no edge');
  const { token } = await owner.call('GET /api/tunnel-configs/:id/tunnel-token', { id: proxy.id });
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const connector = await startOurs({ port: edge.connectorPort, ca, token, originPort });
  const isActive = ({ id, status }: { id: number; status: string }) => id === proxy.id && status === 'active';
  await until('the panel to know', async () =>
    (await owner.call('GET /api/tunnel-configs', {})).some(isActive),
  );
  const visit = () => ask({ port: edge.visitorPort, host: proxy.cfDomain });
  await until('a visitor to get through', async () => (await visit()).status === 200);
  await Promise.all(Array.from({ length: 40 }, visit));
  await until('the traffic to be published', async () => {
    const { figures } = await owner.call('GET /api/tunnel-configs/:id/traffic', { id: proxy.id });
    return (figures?.today.requests ?? 0) >= 40;
  });
  return connector;
}
