import { type Entry, type Method, type RouteName, routes } from '@talpa/contracts';

/** One row of the contract's table, with its name taken apart. */
export interface ApiRoute {
  readonly name: RouteName;
  readonly method: Method;
  /** With `:name` for params. */
  readonly path: string;
  readonly entry: Entry;
  /** Names in the path. */
  readonly params: readonly string[];
  /** Changes something: any method but GET. */
  readonly isMutation: boolean;
  /** 204, 201 or 200. */
  readonly status: 200 | 201 | 204;
}

/** Every route of the API, from the contract. */
export const apiRoutes: readonly ApiRoute[] = Object.entries<Entry>(routes).map(([name, entry]) => {
  const [method, path = ''] = name.split(' ');
  return {
    name: name as RouteName,
    method: method as Method,
    path,
    entry,
    params: [...path.matchAll(/:(\w+)/g)].map(([, param]) => param as string),
    isMutation: method !== 'GET',
    status: entry.response.type === 'null' ? 204 : (entry.status ?? 200),
  };
});

/** The methods each path knows; all others answer 405. */
export const methodsByPath: ReadonlyMap<string, readonly Method[]> = apiRoutes.reduce(
  (paths, { path, method }) => paths.set(path, [...(paths.get(path) ?? []), method]),
  new Map<string, Method[]>(),
);
