import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';

const columns = [{ min: 150, grow: 2 }, { min: 100 }, { min: 150, grow: 1 }];
const list = { actions: 4, selects: true };

it('a table fills its list exactly, and its actions have their whole width', () => {
  for (const width of [900, 1136, 1160.6]) {
    const { table } = layoutOf(columns, { ...list, width });
    expect(table?.actions).toBe(4 * 32 + 22);
    expect(table?.columns.reduce((sum, one) => sum + one, 48 + (table?.actions ?? 0))).toBeCloseTo(
      Math.floor(width),
    );
    expect(table?.columns[1]).toBe(100);
  }
});

it('where one column would get less than it needs there are cards', () => {
  const least = 400 + 48 + 4 * 32 + 22;
  expect(layoutOf(columns, { ...list, width: least }).table?.columns).toEqual([150, 100, 150]);
  expect(layoutOf(columns, { ...list, width: least - 1 }).table).toBeNull();
  expect(layoutOf(columns, { ...list, width: least, actions: 5 }).table).toBeNull();
});
