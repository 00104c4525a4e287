import { staticTable } from './static-table.ts';

/** A head's fields: names in lower case, one value or several. Numbers are written as decimals. */
export type Fields = Readonly<Record<string, string | readonly string[] | number | undefined>>;

const maximumCachedName = 64;
const maximumCachedNames = 2_000;
/** Values of this length and above take more than one byte to state their length. */
const longLength = 127;

/** Literals without indexing: the first byte of each name, and what says which name it is. */
const names = new Map<string, string>();
const indexed = new Map<string, string>();
staticTable.forEach(([name, value], place) => {
  const index = place + 1;
  if (!names.has(name)) names.set(name, integer(0x00, 4, index));
  if (value !== '') indexed.set(`${name} ${value}`, integer(0x80, 7, index));
});
const twoBytes = /[^\0-\xff]/;
const pseudo = [':method', ':scheme', ':authority', ':path'] as const;

/**
 * The HPACK block of a request's head, as text of one byte per character. It uses no dynamic table, so that heads depend on nothing
 * that was sent before, and no Huffman code, which costs the peer more than the bytes that it saves on one machine.
 * @throws RangeError when a character takes more than one byte: cut off, it could become a line break.
 */
export function encodeFields(fields: Fields): string {
  let block = '';
  for (const name of pseudo) {
    const value = fields[name];
    if (value !== undefined) block += indexed.get(`${name} ${value}`) ?? literal(name, String(value));
  }
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || name.charCodeAt(0) === 58) continue;
    if (typeof value === 'object') for (const one of value) block += literal(name, one);
    else block += literal(name, String(value));
  }
  if (twoBytes.test(block)) throw new RangeError('a field has a character of more than one byte');
  return block;
}

function literal(name: string, value: string): string {
  const { length } = value;
  const stated = length < longLength ? String.fromCharCode(length) : integer(0x00, 7, length);
  return (names.get(name) ?? newName(name)) + stated + value;
}

function newName(name: string): string {
  const text = `\0${integer(0x00, 7, name.length)}${name}`;
  if (name.length <= maximumCachedName && names.size < maximumCachedNames)
    names.set(copyOf(name), copyOf(text));
  return text;
}

/** A part of a text keeps the whole text in memory. */
const copyOf = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

/** An integer whose first byte has so many bits for it (RFC 7541, 5.1). */
function integer(first: number, bits: number, value: number): string {
  const most = (1 << bits) - 1;
  if (value < most) return String.fromCharCode(first | value);
  let text = String.fromCharCode(first | most);
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) text += String.fromCharCode((rest % 128) | 128);
  return text + String.fromCharCode(rest);
}
