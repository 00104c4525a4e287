import { expect, it } from 'vitest';
import { decodeFields } from './decode.ts';
import { encodeFields } from './encode.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const decode = (block: Buffer) => decodeFields(block, 100_000);

// The examples of RFC 7541, Appendix C, that need no dynamic table.
it.each<[string, string, string[]]>([
  [
    'C.2.1',
    '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
    ['custom-key', 'custom-header'],
  ],
  ['C.2.2', '040c 2f73 616d 706c 652f 7061 7468', [':path', '/sample/path']],
  ['C.2.3', '1008 7061 7373 776f 7264 0673 6563 7265 74', ['password', 'secret']],
  ['C.2.4', '82', [':method', 'GET']],
  [
    'C.3.1',
    '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
    [':method', 'GET', ':scheme', 'http', ':path', '/', ':authority', 'www.example.com'],
  ],
  [
    'C.4.1, Huffman',
    '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
    [':method', 'GET', ':scheme', 'http', ':path', '/', ':authority', 'www.example.com'],
  ],
  [
    'C.6.1, Huffman',
    '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
    [
      ':status',
      '302',
      'cache-control',
      'private',
      'date',
      'Mon, 21 Oct 2013 20:13:21 GMT',
      'location',
      'https://www.example.com',
    ],
  ],
])('decodes the example of RFC 7541, %s', (_name, block, fields) => {
  expect(decode(hex(block))).toEqual(fields);
});

it('decodes what it encodes: every byte, every length around the limits of an integer, several values', () => {
  const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
  for (const length of [0, 1, 126, 127, 128, 254, 255, 256, 16_510, 16_511, 40_000]) {
    const value = 'ü'.repeat(length);
    const fields = {
      ':method': 'PUT',
      ':path': `/${value}`,
      name: value,
      list: ['a', bytes],
      number: 7,
      none: undefined,
    };
    expect(decode(Buffer.from(encodeFields(fields), 'latin1'))).toEqual([
      ...[':method', 'PUT', ':path', `/${value}`],
      ...['name', value, 'list', 'a', 'list', bytes, 'number', '7'],
    ]);
  }
});

it('refuses a character of more than one byte: its lower byte could be a line break', () => {
  expect(() => encodeFields({ name: `a\u010ab: c` })).toThrow(RangeError);
  expect(() => encodeFields({ 'a\u010a': 'b' })).toThrow(RangeError);
  expect(encodeFields({ name: '\xff' })).toContain('\xff');
});

it('begins with the pseudo-headers, whatever the order of the fields', () => {
  const fields = { host: 'a', ':path': '/', ':method': 'GET', ':scheme': 'https', ':authority': 'b' };
  expect(decode(Buffer.from(encodeFields(fields), 'latin1'))).toEqual([
    ...[':method', 'GET', ':scheme', 'https', ':authority', 'b', ':path', '/', 'host', 'a'],
  ]);
});

it('refuses a head above the limit, counting 32 bytes for each field', () => {
  expect(decodeFields(Buffer.from([0x88, 0x88]), 2 * (7 + 3 + 32))).toEqual([
    ':status',
    '200',
    ':status',
    '200',
  ]);
  expect(decodeFields(Buffer.from([0x88, 0x88]), 2 * (7 + 3 + 32) - 1)).toBeNull();
});
