import { describe, expect, it } from 'vitest';
import { pageOf } from './page-of.ts';

const rows = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, name: `Proxy ${60 - at}` }));
const by = {
  textOf: ({ name }: { name: string }) => name,
  compare: {
    id: (one: { id: number }, other: { id: number }) => one.id - other.id,
    name: (one: { name: string }, other: { name: string }) =>
      one.name.localeCompare(other.name, undefined, { numeric: true }),
  },
};
const page = (asked: { q?: string; order?: 'id' | '-id' | 'name' | '-name'; cursor?: string | null }) => {
  const { rows: shown, ...facts } = pageOf(rows, { q: '', order: 'id', cursor: null, ...asked }, by);
  return { ids: shown.map(({ id }) => id), ...facts };
};

describe('a page of a list that is there as a whole', () => {
  it('follows the one before, until the last', () => {
    const first = page({});
    expect(first).toMatchObject({ next: '25', total: { count: 60, isMore: false } });
    expect(page({ cursor: '25' }).ids[0]).toBe(26);
    const last = page({ cursor: '50' });
    expect([last.ids.length, last.next]).toEqual([10, null]);
  });

  it('is in the order that is asked for, and of what is sought alone', () => {
    expect(page({ order: '-id' }).ids[0]).toBe(60);
    expect(page({ order: 'name' }).ids.slice(0, 2)).toEqual([60, 59]);
    expect(page({ q: 'PROXY 6', order: 'name' })).toMatchObject({ ids: [55, 1], next: null });
    expect(page({ q: 'fehlt' })).toMatchObject({ ids: [], total: { count: 0 } });
  });

  it('is the first for a cursor that is none, and empty behind the end', () => {
    expect(page({ cursor: 'unsinn' }).ids[0]).toBe(1);
    expect(page({ cursor: '100' }).ids).toEqual([]);
  });
});
