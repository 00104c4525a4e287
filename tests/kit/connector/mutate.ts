/** A generator of the same numbers each time: whole, from 0 up to but without `below`. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Changes a message as a broken or hostile peer would: bits, words, lengths, ends. */
export function mutate(message: Buffer, random: (below: number) => number): Buffer {
  const bytes = Buffer.from(message);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(bytes.length);
    switch (random(5)) {
      case 0:
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
        break;
      case 1:
        bytes.writeUInt8(random(256), at);
        break;
      case 2:
        bytes.writeUInt32LE(random(0xffff_ffff), at & ~7);
        break;
      case 3:
        bytes.copy(bytes, at & ~7, random(bytes.length) & ~7, bytes.length);
        break;
      default:
        return bytes.subarray(0, at);
    }
  }
  return bytes;
}
