import { describe, expect, it } from 'vitest';
import { formats } from './card.ts';
import { afterEdit, digitsOf, type Edit } from './digits.ts';

/** What a browser makes of a key before the field is formatted. */
const typing = (key: string, { text, caret }: Edit): Edit => ({
  text: text.slice(0, caret) + key + text.slice(caret),
  caret: caret + key.length,
});
const backspacing = ({ text, caret }: Edit): Edit => ({
  text: text.slice(0, Math.max(0, caret - 1)) + text.slice(caret),
  caret: Math.max(0, caret - 1),
});
const deleting = ({ text, caret }: Edit): Edit => ({
  text: text.slice(0, caret) + text.slice(caret + 1),
  caret,
});

/** A field's digits, with a bar where the caret stands among them. */
const marked = ({ text, caret }: Edit) => `${digitsOf(text.slice(0, caret))}|${digitsOf(text.slice(caret))}`;

describe.each([
  { field: 'number', texts: ['4111', '4111 1', '4111 1234 98', '4111 1234 9876 543'] },
  { field: 'expiry', texts: ['1', '12', '12/3'] },
  { field: 'cvc', texts: ['', '12'] },
] as const)('at every position of the field $field', ({ field, texts }) => {
  const format = formats[field];
  const places = texts.flatMap((text) =>
    Array.from({ length: text.length + 1 }, (_, caret): Edit => ({ text, caret })),
  );

  it.each(places)('“$text” at $caret: typing, Backspace and Delete act on the digit at the caret', (at) => {
    const head = digitsOf(at.text.slice(0, at.caret));
    const tail = digitsOf(at.text.slice(at.caret));
    expect(marked(afterEdit(format, at.text, typing('7', at), false))).toBe(`${head}7|${tail}`);
    expect(marked(afterEdit(format, at.text, typing('x', at), false))).toBe(`${head}|${tail}`);
    expect(marked(afterEdit(format, at.text, backspacing(at), false))).toBe(`${head.slice(0, -1)}|${tail}`);
    expect(marked(afterEdit(format, at.text, deleting(at), true))).toBe(`${head}|${tail.slice(1)}`);
  });
});

it('a full field takes no further digit, wherever it is typed, and of a pasted number the first ones', () => {
  const full = '4111 1234 9876 5432';
  for (let caret = 0; caret <= full.length; caret += 1) {
    const edit = afterEdit(formats.number, full, typing('7', { text: full, caret }), false);
    expect(marked(edit)).toBe(marked({ text: full, caret }));
  }
  const pasted = ' 4111-1234-9876-5432-00';
  const edit = afterEdit(formats.number, '', { text: pasted, caret: pasted.length }, false);
  expect(edit).toEqual({ text: full, caret: full.length });
});
