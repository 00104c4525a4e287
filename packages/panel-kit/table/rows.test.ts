import { randomFrom } from '@talpa/test-kit/requests/random';
import { expect, it } from 'vitest';
import { inGroups } from './rows.ts';

it('brings the rows of a group together where its first row stands, and leaves the others where they are', () => {
  const random = randomFrom(7);
  for (let round = 0; round < 200; round += 1) {
    const rows = Array.from({ length: random.below(12) }, (_, id) => ({ id, of: random.below(4) || null }));
    const groups = inGroups(rows, { idOf: ({ of }) => of, title: () => null, extra: () => null });
    // None is lost or doubled; each group comes once, in its own order; the first rows keep the order of the page.
    expect(groups.flatMap((group) => group.rows).toSorted((a, b) => a.id - b.id)).toEqual(rows);
    const ids = groups.flatMap(({ id }) => (id === null ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
    for (const group of groups) {
      expect(group.rows.every(({ of }) => of === group.id)).toBe(true);
      expect(group.rows).toEqual(group.rows.toSorted((a, b) => a.id - b.id));
      if (group.id === null) expect(group.rows).toHaveLength(1);
    }
    const firsts = groups.map((group) => group.rows[0]?.id ?? -1);
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  }
});

it('without a grouping leaves all rows alone', () => {
  expect(inGroups(['a', 'b'], undefined)).toEqual([
    { id: null, rows: ['a'] },
    { id: null, rows: ['b'] },
  ]);
});
