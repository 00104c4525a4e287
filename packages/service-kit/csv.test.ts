import { randomFrom } from '@talpa/test-kit/requests/random';
import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

/** Reads as spreadsheets do: quotes count at the beginning of a cell alone, and what follows the second one belongs to it. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      while (at < text.length) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        cell += text[at];
        at += 1;
      }
      at += 1;
    }
    while (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') {
      cell += text[at];
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    cells.push(cell);
  }
  return cells;
}

const pieces = [
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＠',
  ';',
  ',',
  '\t',
  '|',
  '"',
  "'",
  ' ',
  '\r',
  '\n',
  'a',
  '/',
  '1+1',
];
const random = randomFrom(34);
const rows = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 3 }, () =>
    Array.from({ length: random.below(8) }, () => random.pick(pieces)).join(''),
  ),
);

it.each([',', ';', '\t', '|'])(
  'no cell of a CSV is a formula to a program that separates cells by %j',
  (separator) => {
    const formulas = rows.filter((row) =>
      cellsOf(csvLine(['2026', ...row]), separator).some((cell) => /^["\s]*[=+\-@＝＋－＠]/.test(cell)),
    );
    expect(formulas).toEqual([]);
  },
);

it('every cell of a CSV comes back as it was, but for the apostrophe before what would be a formula', () => {
  const plain = (cell: string) => cell.replaceAll("'", '');
  for (const row of rows) expect(cellsOf(csvLine(row), ',').map(plain)).toEqual(row.map(plain));
  for (const cell of ['', 'a', '/a,"b"', '/a;b', '1-1', 'a\r\nb'])
    expect(cellsOf(csvLine([cell, 'x']), ',')).toEqual([cell, 'x']);
});
