/**
 * Bits of the code of each byte, and of the end mark (256). The codes of RFC 7541, Appendix B, follow from them: they are assigned in
 * ascending order, the shortest first.
 */
// biome-ignore format: a table of numbers
const lengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6,
  6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7,
  7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24,
  24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22,
  22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20,
  19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26,
  28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27,
  27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const endMark = 256;
const root = 0;

/*
 * A transition takes four bits: which node of the tree comes next, and the byte that is complete, if there is one. No code is shorter
 * than five bits, so that a transition completes at most one byte.
 */
const hasByte = 0x1_0000;
const isInvalid = 0x2_0000;
const transitions: Int32Array = new Int32Array(256 * 16);
/** Whether a text may end in this node: what has come of the next code are at most seven ones. */
const isEnd: Uint8Array = new Uint8Array(256);
buildTables();

/**
 * Decodes a text into a buffer.
 * @param target with room for 8/5 of the bytes from `start` to `end`.
 * @returns how many bytes it has; -1 when it is malformed.
 */
export function decodeHuffman(source: Uint8Array, start: number, end: number, target: Uint8Array): number {
  let node = root;
  let length = 0;
  for (let at = start; at < end; at += 1) {
    const byte = source[at] as number;
    const high = transitions[(node << 4) | (byte >> 4)] as number;
    if (high & hasByte) target[length++] = high >> 8;
    const low = transitions[((high & 0xff) << 4) | (byte & 15)] as number;
    if (low & hasByte) target[length++] = low >> 8;
    if ((high | low) & isInvalid) return -1;
    node = low & 0xff;
  }
  return isEnd[node] ? length : -1;
}

function buildTables(): void {
  /** For each inner node what follows a zero and a one: another inner node, or a byte as its complement. */
  const nodes: [number, number][] = [[Number.NaN, Number.NaN]];
  for (const [symbol, bits] of assignCodes()) {
    let node = root;
    bits.forEach((bit, index) => {
      const children = nodes[node] as [number, number];
      if (index === bits.length - 1) children[bit] = ~symbol;
      else {
        if (Number.isNaN(children[bit])) children[bit] = nodes.push([Number.NaN, Number.NaN]) - 1;
        node = children[bit] as number;
      }
    });
  }
  for (let node = 0; node < nodes.length; node += 1)
    for (let four = 0; four < 16; four += 1) transitions[(node << 4) | four] = walk(nodes, node, four);
  for (let node = root, ones = 0; ones < 8; ones += 1) {
    isEnd[node] = 1;
    node = nodes[node]?.[1] ?? root;
  }
}

function walk(nodes: readonly [number, number][], from: number, four: number): number {
  let node = from;
  let entry = 0;
  for (let bit = 3; bit >= 0; bit -= 1) {
    const next = nodes[node]?.[((four >> bit) & 1) as 0 | 1] ?? Number.NaN;
    if (next >= 0) {
      node = next;
      continue;
    }
    if (~next === endMark) return isInvalid;
    entry = hasByte | (~next << 8);
    node = root;
  }
  return entry | node;
}

/** Each symbol with the bits of its code. */
function assignCodes(): [number, (0 | 1)[]][] {
  const symbols = lengths.map((length, symbol) => ({ length, symbol }));
  symbols.sort((a, b) => a.length - b.length || a.symbol - b.symbol);
  let code = 0;
  let before = 0;
  return symbols.map(({ length, symbol }) => {
    code <<= length - before;
    before = length;
    const bits = Array.from({ length }, (_, index) => ((code >> (length - 1 - index)) & 1) as 0 | 1);
    code += 1;
    return [symbol, bits];
  });
}
