import { expect, it } from 'vitest';
import { goesWith } from './mutations.ts';
import { pageFacts } from './page.ts';

it('a page’s headers say where the next begins and how many rows there are', () => {
  const link = '</api/tunnel-configs?limit=25&cursor=WyJh%3D>; rel="next"';
  expect(pageFacts(new Headers({ link, 'x-total-count': '1000+' }))).toEqual({
    next: 'WyJh=',
    total: { count: 1000, isMore: true },
  });
  expect(pageFacts(new Headers({ 'x-total-count': '0' }))).toEqual({
    next: null,
    total: { count: 0, isMore: false },
  });
  expect(pageFacts(new Headers())).toEqual({ next: null, total: null });
});

it('a change outdates a list with all its pages, and no single proxy of the user', () => {
  const own = ['/api/tunnel-configs'];
  expect(goesWith(own, own)).toBe(true);
  expect(goesWith([...own, { limit: 25, q: 'a' }], own)).toBe(true);
  expect(goesWith([...own, 7, 'GET /api/tunnel-configs/:id/health'], own)).toBe(false);
  expect(goesWith(['/api/admin/users', 7], ['/api/admin/users'])).toBe(true);
});
