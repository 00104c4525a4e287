import { type ProxyConfig, preferences, type User } from '@talpa/contracts';
import { planOf, type Tier } from '@talpa/contracts/plans';
import { heading } from '@talpa/test-kit/panel/heading';
import type { Locator } from 'playwright-core';
import { accountFaults } from './account-checks.ts';
import { fieldOf } from './field.ts';
import { forms, shownFields } from './forms.ts';
import { pathOf } from './hands.ts';
import { type OpenForm, placeOf, shownIn, valuesAt } from './model.ts';
import { hasDialog } from './possible.ts';
import {
  changedFields,
  type Kind,
  none,
  typedEntries,
  type Values,
  valuesOfPreferences,
  valuesOfProxy,
  valuesOfUser,
} from './records.ts';
import { serverFaults } from './server-checks.ts';
import { frameWords, pageWords } from './tab.ts';
import { tabNow, type World } from './world.ts';

/** Everything that is not as it must be; each begins with what it is about. */
export async function faultsOf(world: World): Promise<string[]> {
  const { root, me, myId, model } = world;
  const proxies = await me.call('GET /api/tunnel-configs', {});
  const users = await root.call('GET /api/admin/users', { limit: 100 });
  const preferred = await me.call('GET /api/user/preferences', {});
  const byId = (list: readonly { readonly id: number }[], of: 'proxy' | 'user') =>
    world.ids[of].map((id) => list.find((one) => one.id === id));
  const api = {
    proxy: (byId(proxies, 'proxy') as ProxyConfig[]).map((one) => (one ? valuesOfProxy(one) : {})),
    user: (byId(users, 'user') as User[]).map((one) => (one ? valuesOfUser(one) : {})),
    preferences: [valuesOfPreferences(preferred)],
  };
  return [
    ...differences('api', model.records, api),
    ...differences('row', api, await rowsOf(world, myId)),
    ...(await auditFaults(world)),
    ...(await invitationFaults(world)),
    ...(await domainFaults(world)),
    ...(await serverFaults(world, proxies)),
    ...(await pageFaults(world)),
    ...(await formFaults(world)),
    ...(await focusFaults(world)),
    ...(model.isOnline ? await listFaults(world, proxies, users) : []),
    ...(model.isOnline ? await bellFaults(world) : []),
    ...(model.isOnline && placeOf(tabNow(world).now).name === 'settings' ? await accountFaults(world) : []),
  ];
}

type Records = Readonly<Record<Kind, readonly Values[]>>;

function differences(what: string, wanted: Records, found: Records): string[] {
  return (Object.keys(wanted) as Kind[]).flatMap((kind) =>
    wanted[kind].flatMap((values, at) =>
      Object.entries(values)
        .filter(([field, value]) => field !== 'password' && found[kind][at]?.[field] !== value)
        .map(
          ([field, value]) =>
            `${what}: ${kind} ${at} has ${field} "${found[kind][at]?.[field]}", not "${value}"`,
        ),
    ),
  );
}

/** Its columns are named by themselves here: the services' own words are what is checked. */
const valuesOfProxyRow = (row: Readonly<Record<string, unknown>>) => ({
  id: String(row.id),
  reason: String(row.suspensionReason ?? none),
  message: String(row.pauseMessage ?? none),
  ...Object.fromEntries(
    typedEntries.map((field) => [field, String(row[field === 'serverIP' ? 'serverIp' : field] ?? none)]),
  ),
});

/** The same records as they stand in Postgres. */
async function rowsOf({ sql, ids }: World, myId: number): Promise<Records> {
  const proxies = await sql<Record<string, unknown>[]>`
    select * from proxies.proxies where user_id = ${myId} and removed_at is null`;
  const users = await sql<Record<string, string>[]>`
    select users.id, username, is_admin::text as "isAdmin", coalesce(suspension_reason, '') as reason,
      coalesce(tier, 'none') as "subscriptionTier", proxy_limit::text as "proxyLimit"
    from auth.users join auth.entitlements on user_id = users.id where users.id in ${sql(ids.user)}`;
  const [own] = await sql<{ preferences: object; email: string | null }[]>`
    select preferences, (
      select address from auth.email_addresses where user_id = users.id and ended_at is null
      order by verified_at nulls first limit 1) as email
    from auth.users where id = ${myId}`;
  const inOrder = (rows: readonly Record<string, string>[], order: readonly number[]) =>
    order.map((id) => rows.find((row) => Number(row.id) === id) ?? {});
  return {
    proxy: inOrder(proxies.map(valuesOfProxyRow), ids.proxy),
    user: inOrder(users, ids.user),
    preferences: [valuesOfPreferences(preferences.parse({ ...own?.preferences, email: own?.email ?? none }))],
  };
}

/** The audit trail lists exactly what the walk did to its records. */
async function auditFaults({ sql, ids, myId, model }: World): Promise<string[]> {
  const rows = await sql<{ targetKind: string; targetId: string; action: string; changes: object }[]>`
    select target_kind, target_id, action, changes from stats.audit
    where (target_kind = 'proxy' and target_id in ${sql(ids.proxy.map(String))})
      or (target_kind = 'server' and target_id in ${sql(ids.server.map(String))})
      or (target_kind = 'user' and target_id in ${sql(ids.user.map(String))})
      or (target_id = ${String(myId)} and action = 'user.changePreferences')
    order by at, id`;
  const described = rows.map(({ targetKind, targetId, action, changes }) => {
    const isMine = action === 'user.changePreferences';
    const at = isMine ? 0 : ids[targetKind as 'proxy'].indexOf(Number(targetId));
    const names = Object.keys(changes).filter((name) => name !== 'hostname');
    const ofUpdate = /update|change/.test(action) ? ` ${names.sort().join()}` : none;
    return `${isMine ? 'preferences' : targetKind} ${at}: ${action}${ofUpdate}`;
  });
  // One who saves what was there already changes nothing, nor does one who reads a token or somebody's addresses.
  const changed = described.filter((text) => !text.endsWith(' ') && !/: \w+\.read/.test(text));
  const wanted = model.deeds.map(({ record, text }) => `${record.of} ${record.at}: ${text}`);
  return (['proxy', 'server', 'user', 'preferences'] as const).flatMap((kind) => {
    const of = (texts: readonly string[]) => texts.filter((text) => text.startsWith(kind)).sort();
    const [has, needs] = [of(changed).join('; '), of(wanted).join('; ')];
    return has === needs ? [] : [`audit: "${has}", not "${needs}"`];
  });
}

/** The invitations are those that were made, each once, and with what was typed. */
async function invitationFaults({ root, model }: World): Promise<string[]> {
  const all = await root.call('GET /api/admin/invitations', { q: model.tag, limit: 100 });
  const found = all
    .filter(({ note }) => note.endsWith(model.tag))
    .map(({ note, tier, uses }) => `${note} ${tier ?? 'none'} ${uses}`);
  const [has, needs] = [found, model.invitations].map((list) => [...list].sort().join('; '));
  return has === needs ? [] : [`api: the invitations are "${has}", not "${needs}"`];
}

/** Each proxy has the domains that were added to it, and its page shows them. */
async function domainFaults(world: World): Promise<string[]> {
  const { me, ids, model } = world;
  const lists = await Promise.all(
    ids.proxy.map(async (id, at) =>
      (await me.call('GET /api/tunnel-configs/:id/domains', { id })).domains.map(
        ({ host }) => `${at} ${host}`,
      ),
    ),
  );
  const [has, needs] = [lists.flat(), model.domains].map((list) => [...list].sort().join('; '));
  if (has !== needs) return [`api: the domains are "${has}", not "${needs}"`];
  const { tab, now } = tabNow(world);
  const { name, at } = placeOf(now);
  if (name !== 'proxyDomains' || !model.isOnline) return [];
  const text = (await tab.page.getByRole('main').textContent()) ?? none;
  const lacking = model.domains.filter(
    (one) => one.startsWith(`${at} `) && !text.includes(one.split(' ')[1] ?? none),
  );
  return lacking.map((one) => `list: lacks the domain "${one}"`);
}

/** The page is the one the walk is on, and has the chosen appearance. */
async function pageFaults(world: World): Promise<string[]> {
  const { tab, now } = tabNow(world);
  const { pathname, search } = new URL(tab.page.url());
  const wanted = pathOf(world, placeOf(now));
  const faults = pathname + search === wanted ? [] : [`page: ${pathname + search}, not ${wanted}`];
  const language = await tab.page.evaluate('document.documentElement.lang');
  if (language !== world.model.language) faults.push(`page: speaks ${language}, not ${world.model.language}`);
  return faults;
}

/** The bell says how many notifications are unread: those of the API, whatever was done in which tab. */
async function bellFaults(world: World): Promise<string[]> {
  const { me, model } = world;
  const { tab, now } = tabNow(world);
  // A dialog covers it.
  if (hasDialog(now)) return [];
  const { unread } = await me.call('GET /api/user/notifications/unread-count', {});
  const { shell } = frameWords(model);
  const wanted =
    unread > 99
      ? shell('bell.more', { count: 99 })
      : unread === 0
        ? shell('bell')
        : shell('bell.unread', { count: unread });
  const bell = tab.page.getByRole(now.width === 390 ? 'link' : 'button', { name: wanted, exact: true });
  return (await bell.count()) > 0 ? [] : [`bell: does not say "${wanted}"`];
}

/** An open form shows its record and what was typed; where none is open there is no dialog. */
async function formFaults(world: World): Promise<string[]> {
  const { tab, now } = tabNow(world);
  const { form } = now;
  const count = await tab.dialogs.count();
  const wantedCount = hasDialog(now) ? 1 : 0;
  if (count !== wantedCount) return [`dialog: ${count} are open, not ${wantedCount}`];
  if (!form) return [];
  const scope = form.name === 'settings' ? tab.page.getByRole('main') : tab.dialog;
  const wanted = shownIn(form);
  const faults: string[] = [];
  for (const name of shownFields(form.name, placeOf(now))) {
    const field = fieldOf(tab.page, scope, pageWords(world.model), form.name, name);
    const shown = await field.read().catch((error) => String(error).split('\n')[0]);
    if (shown !== wanted[name])
      faults.push(`form: ${form.name} shows ${name} "${shown}", not "${wanted[name]}"`);
  }
  return form.conflict ? [...faults, ...(await conflictFaults(world, form, scope))] : faults;
}

/** Fields whose values the notice of a conflict shows as they are typed. */
const typedFields = [...forms.editProxy.fields, 'username', 'email', 'reason', 'message'];

/** The notice of a conflict shows the record's present values: nobody decides about older ones. */
async function conflictFaults({ model }: World, form: OpenForm, scope: Locator): Promise<string[]> {
  const { of, fields } = forms[form.name];
  if (!of) return [];
  const now = valuesAt(model.seen, { of, at: form.at });
  const text = (await scope.textContent()) ?? none;
  return changedFields(form.base, now)
    .filter((name) => fields.includes(name) && typedFields.includes(name) && now[name])
    .filter((name) => !text.includes(now[name] ?? none))
    .map((name) => `form: the conflict of ${form.name} does not name ${name} "${now[name]}"`);
}

const focusNow = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body || !one.isConnected) return 'body';
  const dialogs = [...document.querySelectorAll('[role=dialog], dialog[open]')].filter((each) => each.checkVisibility());
  return dialogs.length === 0 || dialogs.at(-1).contains(one) || one.closest('[role=listbox]') ? '' : one.outerHTML.slice(0, 120);
})()`;

/** The focus is somewhere, and inside a dialog that is open. */
async function focusFaults(world: World): Promise<string[]> {
  const { tab, now } = tabNow(world);
  const where = (await tab.page.evaluate(focusNow)) as string;
  if (!where || (where === 'body' && !now.isTouched)) return [];
  return [`focus: on ${where}${hasDialog(now) ? ', outside of the dialog' : none}`];
}

interface ShownRow {
  readonly id: number;
  readonly name: string;
  readonly text: string;
}
const rowsShown = (path: string) => `[...document.querySelectorAll('main a[href^="${path}/"]')]
  .filter((link) => link.checkVisibility() && link.closest('tr, li'))
  .map((link) => ({
    id: Number(link.getAttribute('href').split('/').at(-1)),
    name: link.textContent,
    text: link.closest('tr, li').innerText,
  }))`;

/** The list on the screen is the API's. */
async function listFaults(
  world: World,
  own: readonly ProxyConfig[],
  users: readonly User[],
): Promise<string[]> {
  const { tab, now } = tabNow(world);
  const { model } = world;
  const place = placeOf(now);
  const { admin } = pageWords(world.model);
  if (place.name === 'proxies' || place.name === 'allProxies') {
    const all =
      place.name === 'proxies' ? own : await world.root.call('GET /api/admin/tunnel-configs', { limit: 25 });
    const shown = (await tab.page.evaluate(rowsShown('/tunnel-configuration'))) as ShownRow[];
    return compareRows(
      shown,
      all,
      ({ serverName }) => serverName,
      (proxy) => [proxy.serverIP, proxy.cfDomain],
    );
  }
  if (place.name === 'invitations') {
    const text = (await tab.page.getByRole('main').textContent()) ?? none;
    const notes = model.invitations.map((one) => one.slice(0, one.indexOf(model.tag) + model.tag.length));
    return notes.filter((note) => !text.includes(note)).map((note) => `list: lacks the invitation "${note}"`);
  }
  if (place.name === 'users') {
    const shown = (await tab.page.evaluate(rowsShown('/admin/users'))) as ShownRow[];
    const planName = (tier: Tier | null) => (tier ? planOf(tier).name : admin('users.none'));
    return compareRows(
      shown,
      users.slice(0, 25),
      ({ username }) => username,
      (user) => [planName(user.subscriptionTier), String(user.proxyLimit)],
    );
  }
  const title = (await heading(tab.page).first().textContent()) ?? none;
  const isProxy = place.name === 'proxy' || place.name === 'proxyDomains';
  const record = isProxy ? own : place.name === 'user' ? users : [];
  const id = world.ids[isProxy ? 'proxy' : 'user'][place.at ?? 0];
  const found = (record as readonly { id: number; serverName?: string; username?: string }[]).find(
    (one) => one.id === id,
  );
  const name = found?.serverName ?? found?.username;
  return !name || title.includes(name) ? [] : [`list: the page of "${name}" is headed "${title}"`];
}

function compareRows<Row extends { readonly id: number }>(
  shown: readonly ShownRow[],
  all: readonly Row[],
  nameOf: (row: Row) => string,
  textsOf: (row: Row) => readonly string[],
): string[] {
  const list = (rows: readonly { readonly id: number; readonly name: string }[]) =>
    [...rows]
      .sort((one, other) => one.id - other.id)
      .map(({ id, name }) => `${id} ${name}`)
      .join(', ');
  const wanted = all.map((row) => ({ id: row.id, name: nameOf(row) }));
  if (list(shown) !== list(wanted)) return [`list: shows ${list(shown)}, not ${list(wanted)}`];
  return all.flatMap((row) => {
    const text = shown.find(({ id }) => id === row.id)?.text ?? none;
    const missing = textsOf(row).filter((one) => !text.replace(/\s+/g, '').includes(one.replace(/\s+/g, '')));
    return missing.map((one) => `list: ${nameOf(row)} lacks "${one}" in "${text.replace(/\s+/g, ' ')}"`);
  });
}
