import type { RouteName } from '@talpa/contracts';
import { describe, expect, it } from 'vitest';
import { createCachedReads } from './cached-reads.ts';
import { type ApiRoute, apiRoutes } from './table.ts';

const routeOf = (name: RouteName) => apiRoutes.find((route) => route.name === name) as ApiRoute;
const [subscription, stats] = [routeOf('GET /api/user/subscription'), routeOf('GET /api/system/stats')];
const [proxy, proxies] = [routeOf('GET /api/tunnel-configs/:id'), routeOf('GET /api/tunnel-configs')];

describe('the reads that the fast path may answer', () => {
  it('are those that may be cached: without input from the start, the others once their URL was parsed', () => {
    const reads = createCachedReads();
    for (const route of [subscription, stats, proxies])
      expect(reads.get(route.path)).toMatchObject({ route, input: route.entry.input.parse({}) });
    const url = '/api/tunnel-configs/7';
    expect([proxy.path, url, '/api/user/passkeys', '/elsewhere'].map(reads.get)).toEqual(
      Array(4).fill(undefined),
    );
    reads.remember(url, proxy, { id: 7 });
    expect(reads.get(url)).toMatchObject({ route: proxy, input: { id: 7 } });
    const passkeys = routeOf('GET /api/user/passkeys');
    reads.remember(passkeys.path, passkeys, {});
    expect(reads.get(passkeys.path)).toBeUndefined();
  });

  it('take a bounded memory, however many URLs are asked for: the least recently used goes first', () => {
    const reads = createCachedReads();
    // With its overhead each takes a thousandth of what there is.
    const urlOf = (at: number) => `${proxies.path}?cursor=${at}`.padEnd(800, 'x');
    for (let at = 0; at < 1_000; at += 1) reads.remember(urlOf(at), proxies, {});
    expect(reads.get(urlOf(0))).toBeDefined();
    reads.remember(urlOf(1_000), proxies, {});
    expect([0, 1, 2, 1_000].map((at) => reads.get(urlOf(at)) !== undefined)).toEqual([
      ...[true, false],
      ...[true, true],
    ]);
  });
});
