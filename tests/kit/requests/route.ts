import { randomUUID } from 'node:crypto';
import { busCalls, type Entry, type Method, type RouteName, routes } from '@talpa/contracts';
import { proxyInput } from '../client.ts';
import type { Random } from './random.ts';
import { sampleOf } from './samples.ts';
import { plannedAnnouncement } from './things.ts';

/** One call of the contract's table, taken apart. */
export interface TableRoute {
  readonly name: RouteName;
  readonly method: Method;
  /** With `:name` for params. */
  readonly path: string;
  readonly entry: Entry;
  /** Names in the path. */
  readonly params: readonly string[];
  readonly hasBody: boolean;
  readonly success: 200 | 201 | 204;
  /** A service answers it over the bus. */
  readonly onBus: boolean;
}

const subjects = new Set<string>(busCalls.map((call) => call.subject));

/** Every call of the contract. */
export const tableRoutes: readonly TableRoute[] = Object.entries<Entry>(routes).map(([name, entry]) => {
  const [method, path = ''] = name.split(' ') as [Method, string];
  return {
    name: name as RouteName,
    method,
    path,
    entry,
    params: [...path.matchAll(/:(\w+)/g)].map(([, param]) => param as string),
    hasBody: method === 'POST' || method === 'PUT',
    success: entry.response.type === 'null' ? 204 : (entry.status ?? 200),
    onBus: subjects.has(entry.procedure),
  };
});

const { startsAt, endsAt } = plannedAnnouncement;
/** Values of fields that decide more than whether an input is valid. */
const plainValues = () => ({
  ...{ ...proxyInput(), startsAt, endsAt, memberUntil: null, policy: { kind: 'open' }, access: 'open' },
  host: `${randomUUID()}.example.org`,
  // Names and HTTP/2 go with it alone.
  originProtocol: 'https',
});

/**
 * Valid input of a call. What makes up a proxy is plain, so that nothing else stands in its way, and no announcement
 * begins, because users of other tests would see it. Made-up `expected` values never match the stored ones, and a
 * made-up proxy or server is nobody's, and a made-up cursor leads nowhere, so there are none.
 */
export function plainInputOf({ entry }: TableRoute, random: Random): Record<string, unknown> {
  const {
    expected: _madeUp,
    proxyId: _nobodys,
    serverId: _neither,
    cursor: _nowhere,
    ...input
  } = sampleOf(entry.input, random) as Record<string, unknown>;
  const plain = Object.entries(plainValues()).filter(([name]) => name in entry.input.shape);
  // One may name a new server in place of one that is there.
  if ('serverId' in entry.input.shape && entry.input.shape.name?.isOptional()) input.name ??= 'Server';
  return { ...input, ...Object.fromEntries(plain) };
}

/** Where and with what body a call's input is sent. */
export function requestOf(route: TableRoute, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  const query = route.hasBody ? '' : new URLSearchParams(rest as Record<string, string>).toString();
  return { path: query ? `${path}?${query}` : path, body: route.hasBody ? rest : undefined };
}
