import type { ProxyConfig } from '@talpa/contracts';
import { heading } from '@talpa/test-kit/panel/heading';
import { placeOf } from './model.ts';
import { isListed, isThere, proxiesOn, reachOfMember, sharedProxy } from './servers.ts';
import { tabNow, type World } from './world.ts';

/** A server in one line, the same of the model, the API and the row. */
const line = (id: number, name: string, isNamed: boolean, isShared: boolean, proxyIds: readonly number[]) =>
  `${id} ${name}${isNamed ? ', named' : ''}${isShared ? ', shared' : ''}: ${[...proxyIds].sort((a, b) => a - b)}`;
const compared = (what: string, found: readonly string[], wanted: readonly string[]) => {
  const [has, needs] = [found, wanted].map((list) => [...list].sort().join('; '));
  return has === needs ? [] : [`${what}: the servers are "${has}", not "${needs}"`];
};

/** Servers and what is on them, in the API, in Postgres and on the screen, and what a member of one proxy sees of them. */
export async function serverFaults(world: World, own: readonly ProxyConfig[]): Promise<string[]> {
  const { me, member, model, ids, sql, myId } = world;
  const wanted = model.servers.flatMap(({ name, isNamed, isShared, isGone }, at) => {
    const proxyIds = proxiesOn(model, at).map((proxy) => ids.proxy[proxy] ?? 0);
    return isGone ? [] : [line(ids.server[at] ?? 0, name, isNamed, isShared, proxyIds)];
  });
  const servers = await me.call('GET /api/servers', {});
  const rows = await sql<{ id: number; name: string; kind: string; shared: boolean; proxyIds: number[] }[]>`
    select id, name, kind, token_shared_at is not null as shared, array(
      select proxies.id from proxies.proxies where server_id = servers.id and proxies.removed_at is null) as proxy_ids
    from proxies.servers where user_id = ${myId} and removed_at is null`;
  const shown = await member.call('GET /api/shared-proxies', {});
  const seen = shown.map(({ id, mayReadToken }) => `${id} ${mayReadToken}`);
  const mayRead = reachOfMember(model, model.serverOf[sharedProxy] ?? 0) === 'reads';
  return [
    ...compared(
      'api',
      servers.map((one) => line(one.id, one.name, one.kind === 'machine', one.tokenShared, one.proxyIds)),
      wanted,
    ),
    ...compared(
      'row',
      rows.map((one) => line(one.id, one.name, one.kind === 'machine', one.shared, one.proxyIds)),
      wanted,
    ),
    ...compared('member', seen, [`${ids.proxy[sharedProxy]} ${mayRead}`]),
    ...(model.isOnline ? await shownFaults(world, own) : []),
  ];
}

/** In the order of the page: what leads to a server, and to a proxy. */
const linksShown = `[...document.querySelectorAll('main :is(a[href^="/servers/"], a[href^="/tunnel-configuration/"])')]
  .filter((link) => link.checkVisibility() && link.closest('tr, li'))
  .map((link) => ({ isServer: link.pathname.startsWith('/servers/'), id: Number(link.pathname.split('/').at(-1)), name: link.textContent }))`;

/** Each server stands above its own proxies, or has a page with these alone. */
async function shownFaults(world: World, own: readonly ProxyConfig[]): Promise<string[]> {
  const { model, ids } = world;
  const { tab, now } = tabNow(world);
  const { name, at = 0 } = placeOf(now);
  if (name !== 'proxies' && name !== 'server') return [];
  const links = (await tab.page.evaluate(linksShown)) as { isServer: boolean; id: number; name: string }[];
  const said: string[] = [];
  for (let next = 0; next < links.length; ) {
    const { isServer, id, name: title = '' } = links[next] ?? {};
    const count = isServer ? own.filter(({ serverId }) => serverId === id).length : 0;
    const below = links.slice(next + 1, next + 1 + count).map((link) => link.id);
    said.push(isServer ? `${id} ${title}: ${below.sort((a, b) => a - b)}` : `alone: ${id}`);
    next += 1 + count;
  }
  const on = (server: number) => proxiesOn(model, server).map((proxy) => ids.proxy[proxy] ?? 0);
  if (name === 'server') {
    const title = (await heading(tab.page).first().textContent()) ?? '';
    const wanted = model.servers[at]?.name ?? '';
    const faults = title.includes(wanted) ? [] : [`list: the page of "${wanted}" is headed "${title}"`];
    return [
      ...faults,
      ...compared(
        'list',
        said,
        on(at).map((id) => `alone: ${id}`),
      ),
    ];
  }
  const wanted = model.servers.flatMap((server, one) => {
    if (!isThere(model, one)) return [];
    if (!isListed(model, one)) return on(one).map((id) => `alone: ${id}`);
    return [`${ids.server[one]} ${server.name}: ${on(one).sort((a, b) => a - b)}`];
  });
  return compared('list', said, wanted);
}
