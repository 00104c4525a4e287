import { proxyInput, type User } from '@talpa/contracts';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { Client, testPassword } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import { until } from '@talpa/test-kit/wait';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Talpa } from '../../../launcher/system.ts';
import { newAccount } from './account.ts';
import { type Model, newTab, type TabModel, tabOf, valuesAt } from './model.ts';
import { preferencesOf, type Subject, valuesOfPreferences, valuesOfProxy, valuesOfUser } from './records.ts';
import { ownServer, sharedProxy } from './servers.ts';
import { openTab, type Tab } from './tab.ts';

/** The people, records and pages of one walk, and what must be true of them. */
export interface World {
  readonly model: Model;
  readonly context: BrowserContext;
  readonly base: string;
  readonly tabs: Tab[];
  /** The first administrator, who works elsewhere. */
  readonly root: Client;
  /** Who walks, at another place. */
  readonly me: Client;
  readonly myId: number;
  /** Whose session the browser has. */
  readonly seat: Client;
  /** A member of one proxy. */
  readonly member: Client;
  /** By the number of the record. */
  readonly ids: { readonly proxy: number[]; readonly user: number[]; readonly server: number[] };
  readonly sql: Sql;
  readonly patienceMs: number;
  /** Everything that was shown once: nothing shows it again. */
  readonly secrets: Set<string>;
  /** The recovery codes that still count. */
  readonly codes: string[];
  /** Another browser, in which nobody is signed in. */
  newContext(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface Stage {
  readonly browser: Browser;
  readonly talpa: Talpa;
  /** Signs the first administrator in. */
  readonly admin: () => Promise<Client>;
  readonly sql: Sql;
  /** How long what is wrong may stay so. */
  readonly patienceMs: number;
}

let worlds = 0;

/** Makes an administrator with two proxies and two users, and opens the panel as that administrator. */
export async function openWorld({ browser, talpa, admin, sql, patienceMs }: Stage): Promise<World> {
  // Anew for each walk: to create and delete administrators takes a recent sign-in.
  const root = await admin();
  worlds += 1;
  const tag = `w${process.pid % 1_000}x${worlds}`;
  const create = (username: string, isAdmin: boolean) =>
    root.call('POST /api/admin/users', {
      username,
      password: testPassword,
      isAdmin,
      proxyLimit: 10,
      subscriptionTier: 'premium',
    });
  const [self, guest, ...users] = await Promise.all([
    create(`me.${tag}`, true),
    create(`carl.${tag}`, false),
    create(`anna.${tag}`, false),
    create(`bert.${tag}`, false),
  ]);
  const signIn = async ({ username }: User) => {
    const client = new Client(talpa.url);
    await client.call('POST /api/login', { username, password: testPassword });
    return client;
  };
  const [me, seat, member] = [await signIn(self), await signIn(self), await signIn(guest)];
  const makeProxy = async (name: string) =>
    (
      await me.call('POST /api/tunnel-configs', {
        serverName: `${name} ${tag}`,
        serverIP: '127.0.0.1',
        adminPort: 40_120,
      })
    ).proxy;
  const proxies = [await makeProxy('Alpha'), await makeProxy('Beta')];
  await makeMember(me, proxies[sharedProxy]?.id ?? 0, member, 'operate');
  users.sort((one, other) => one.id - other.id);
  const records = () => ({
    proxy: proxies.map(valuesOfProxy),
    user: users.map(valuesOfUser),
    preferences: [] as ReturnType<typeof valuesOfPreferences>[],
  });
  const preferences = valuesOfPreferences(await me.call('GET /api/user/preferences', {}));
  const model: Model = {
    tag,
    records: { ...records(), preferences: [preferences] },
    seen: { ...records(), preferences: [preferences] },
    deeds: [
      ...proxies.map((_, at) => ({ record: { of: 'proxy', at } as const, text: 'proxy.create' })),
      ...users.map((_, at) => ({ record: { of: 'user', at } as const, text: 'user.create' })),
      ...['proxy.inviteMember', 'proxy.join'].map((text) => ({
        ...{ record: { of: 'proxy', at: sharedProxy } as const, text },
      })),
    ],
    invitations: [],
    domains: [],
    servers: proxies.map(({ serverName }) => ownServer(serverName)),
    serverOf: proxies.map((_, at) => at),
    account: newAccount(),
    tabs: [newTab()],
    active: 0,
    isOnline: true,
    language: 'de',
  };
  const newContext = async () => {
    const opened = await browser.newContext({
      baseURL: talpa.url,
      locale: 'de-DE',
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    opened.setDefaultTimeout(patienceMs);
    return opened;
  };
  const context = await newContext();
  const [name = '', value = ''] = seat.cookie.split('=');
  await context.addCookies([{ name, value, url: talpa.url }]);
  const ids = {
    proxy: proxies.map(({ id }) => id),
    user: users.map(({ id }) => id),
    server: proxies.map(({ serverId }) => serverId),
  };
  return {
    model,
    context,
    base: talpa.url,
    tabs: [await openTab(context, talpa.url)],
    root,
    me,
    myId: self.id,
    seat,
    member,
    ids,
    sql,
    patienceMs,
    secrets: new Set(),
    codes: [],
    newContext,
    close: async () => {
      await context.close();
      for (const id of [self.id, guest.id, ...ids.user]) await remove(root, id);
    },
  };
}

/** Deletes a user of the walk. @throws Error with what the activity log says of a user that is gone already */
async function remove(root: Client, id: number): Promise<void> {
  const { status, body } = await root.try('DELETE /api/admin/users/:id', { id });
  if (status < 300) return;
  const { body: events } = await root.try('GET /api/admin/audit', { subject: id });
  throw new Error(
    `user ${id} could not be deleted (${status}): ${JSON.stringify(body)}, ${JSON.stringify(events)}`,
  );
}

export const tabNow = (world: World): { readonly tab: Tab; readonly now: TabModel } => ({
  tab: world.tabs[world.model.active] as Tab,
  now: tabOf(world.model),
});

/** Learns the id of what was just made, and that of a server that was made with it. */
export async function learnNew({ me, root, ids, myId }: World, of: 'proxy' | 'user'): Promise<void> {
  const known = Math.max(0, ...ids[of], of === 'user' ? myId : 0);
  if (of === 'user') {
    const made = await until('the new user', async () =>
      (await root.call('GET /api/admin/users', { limit: 100 })).find(({ id }) => id > known),
    );
    ids.user.push(made.id);
    return;
  }
  const { id, serverId } = await until('the new proxy', async () =>
    (await me.call('GET /api/tunnel-configs', {})).find((one) => one.id > known),
  );
  ids.proxy.push(id);
  if (!ids.server.includes(serverId)) ids.server.push(serverId);
}

/** A record's name now, as the panel knows it. */
export function nameOf(world: World, record: Subject): string {
  const { serverName, username } = valuesAt(world.model.seen, record);
  return serverName ?? username ?? '';
}

/** Somebody changes one field of a record, by the API. */
export async function changeElsewhere(
  world: World,
  record: Subject,
  field: string,
  text: string,
): Promise<void> {
  const { root, me } = world;
  const values = { ...valuesAt(world.model.records, record), [field]: text };
  const id = record.of === 'preferences' ? 0 : (world.ids[record.of][record.at] ?? 0);
  const { reason = '' } = values;
  if (record.of === 'preferences') await me.call('POST /api/user/preferences', preferencesOf(values));
  else if (field === 'reason') {
    const path = record.of === 'proxy' ? 'tunnel-configs' : 'users';
    if (reason) await root.call(`POST /api/admin/${path}/:id/suspension`, { id, reason });
    else await root.call(`DELETE /api/admin/${path}/:id/suspension`, { id });
  } else if (field === 'message') {
    if (text) await root.call('PUT /api/tunnel-configs/:id/pause', { id, message: text });
    else await root.call('DELETE /api/tunnel-configs/:id/pause', { id });
  } else if (record.of === 'proxy') {
    // In turn the owner elsewhere and another administrator.
    const who = record.at % 2 === 0 ? me : root;
    await who.call('PUT /api/tunnel-configs/:id', {
      id,
      ...proxyInput.parse(values),
    });
  } else {
    const { username = '', isAdmin, proxyLimit, subscriptionTier } = values;
    await root.call('PUT /api/admin/users/:id', {
      id,
      username,
      isAdmin: isAdmin === 'true',
      proxyLimit: Number(proxyLimit),
      subscriptionTier: subscriptionTier as 'free',
    });
  }
}

/** Opens a database connection for the checks. */
export const openStores = (talpa: Talpa): Sql => openDatabase(talpa.stores.adminUrl, 1);
