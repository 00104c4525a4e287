/** What a TLS client asks for before anything is encrypted. */
export interface ClientHello {
  readonly serverName: string | null;
  /** Of ALPN, in its order. */
  readonly protocols: readonly string[];
}

const handshakeRecord = 22;
const clientHello = 1;
const recordHeader = 5;
/** A record's longest content: 2^14 bytes. */
const longestRecord = 16_384;
const extensions = { serverName: 0, alpn: 16 } as const;
const hostName = 0;

/**
 * Reads the ClientHello that a connection begins with.
 * @returns undefined while more is to come; null for anything else, which TLS itself refuses or reads better
 */
export function readClientHello(bytes: Buffer): ClientHello | null | undefined {
  if (bytes.length > 0 && bytes[0] !== handshakeRecord) return null;
  if (bytes.length < recordHeader) return undefined;
  const length = bytes.readUInt16BE(3);
  if (length > longestRecord) return null;
  if (bytes.length < recordHeader + length) return undefined;
  try {
    return parse(new Reader(bytes.subarray(recordHeader, recordHeader + length)));
  } catch {
    return null;
  }
}

/** @throws RangeError when a length leads beyond the end */
function parse(record: Reader): ClientHello | null {
  if (record.number(1) !== clientHello) return null;
  const hello = record.part(3);
  // Version and random, then the session's id, cipher suites and compression methods.
  hello.skip(34);
  for (const width of [1, 2, 1] as const) hello.part(width);
  let serverName: string | null = null;
  const protocols: string[] = [];
  for (const list = hello.part(2); list.hasMore(); ) {
    const type = list.number(2);
    const extension = list.part(2);
    if (type === extensions.alpn)
      for (const names = extension.part(2); names.hasMore(); ) protocols.push(names.part(1).text());
    if (type === extensions.serverName) serverName = readServerName(extension.part(2));
  }
  return { serverName, protocols };
}

function readServerName(names: Reader): string | null {
  if (names.number(1) !== hostName) return null;
  return names.part(2).text().toLowerCase();
}

/** Numbers and parts with a length before them, in the order in which they stand. */
class Reader {
  #at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  number(width: 1 | 2 | 3): number {
    const value = this.#bytes.readUIntBE(this.#at, width);
    this.#at += width;
    return value;
  }

  skip(length: number): void {
    if (this.#at + length > this.#bytes.length) throw new RangeError('beyond the end');
    this.#at += length;
  }

  /** @param width of the length, in bytes */
  part(width: 1 | 2 | 3): Reader {
    const start = this.number(width) + this.#at;
    const from = this.#at;
    this.skip(start - from);
    return new Reader(this.#bytes.subarray(from, start));
  }

  text(): string {
    return this.#bytes.toString('latin1');
  }
}
