import { type Model, placeOf, type Server, type TabModel } from './model.ts';

/** The server that a new proxy gets of its own. */
export const ownServer = (name: string): Server => ({
  ...{ name, isNamed: false, isShared: false, isGone: false },
});

/** The numbers of a server's proxies. */
export const proxiesOn = ({ serverOf }: Model, at: number): readonly number[] =>
  serverOf.flatMap((server, proxy) => (server === at ? [proxy] : []));

export const isThere = ({ servers }: Model, at: number): boolean => servers[at]?.isGone === false;

/** Whether the list of proxies leads to it: its owner knows it as a server, or it would be nowhere else. */
export const isListed = (model: Model, at: number): boolean =>
  isThere(model, at) && (model.servers[at]?.isNamed || proxiesOn(model, at).length !== 1);

/** Whether a tab, but for the one given, shows it. */
export const isOpen = ({ tabs }: Model, at: number, but: TabModel | null = null): boolean =>
  tabs.some((tab) => tab !== but && placeOf(tab).name === 'server' && placeOf(tab).at === at);

/** Whether a proxy may be moved there, as far as it is the proxy's: a page of what goes with it is for another test. */
export function canLeave(model: Model, proxy: number, to: number): boolean {
  const from = model.serverOf[proxy];
  if (from === undefined || from === to || !isThere(model, to)) return false;
  const goes = !model.servers[from]?.isNamed && proxiesOn(model, from).length === 1;
  return !model.records.proxy[proxy]?.reason && !(goes && isOpen(model, from));
}

/** Moves a proxy; the server that was made for it goes with it. */
export function moveTo(model: Model, proxy: number, to: number): void {
  const from = model.serverOf[proxy];
  model.serverOf[proxy] = to;
  model.deeds.push({ record: { of: 'proxy', at: proxy }, text: 'proxy.move' });
  const left = from === undefined ? undefined : model.servers[from];
  if (left && !left.isNamed && proxiesOn(model, from ?? 0).length === 0) left.isGone = true;
}

export function renameServer({ servers, deeds }: Model, at: number, name: string): void {
  Object.assign(servers[at] ?? {}, { name, isNamed: true });
  deeds.push({ record: { of: 'server', at }, text: 'server.update name' });
}

/** Nobody has the new token yet. */
export function renewToken({ servers, deeds }: Model, at: number): void {
  Object.assign(servers[at] ?? {}, { isShared: false });
  deeds.push({ record: { of: 'server', at }, text: 'server.recreate' });
}

/** The proxy at which the walk's member has the role `operate`; they have none at any other. */
export const sharedProxy = 0;
/** What the member may do with a server: its token answers for all of its proxies. */
export function reachOfMember(model: Model, at: number): 'none' | 'sees' | 'reads' {
  const proxies = proxiesOn(model, at);
  if (!isThere(model, at) || !proxies.includes(sharedProxy)) return 'none';
  return proxies.length === 1 ? 'reads' : 'sees';
}
