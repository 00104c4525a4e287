/** Pieces are joined up to so many bytes. */
const joinedBytes = 4_096;

/** Bytes that wait, in order. Small pieces are joined: many of them would take far more memory and time than their bytes. */
export class Pieces {
  /** To be taken from the beginning, whole or in part. */
  readonly list: Buffer[] = [];
  /** What holds the last piece while it can grow. Bytes are only added to it: what was taken stays as it is. */
  private room: Buffer | undefined;

  add(piece: Buffer): void {
    const { list } = this;
    const last = list.at(-1);
    if (!last || last.length + piece.length > joinedBytes) {
      // A part of a large buffer would keep all of it in memory.
      list.push(piece.length * 2 < piece.buffer.byteLength ? Buffer.from(piece) : piece);
      return;
    }
    let start = last.byteOffset;
    if (last.buffer !== this.room?.buffer || start + last.length + piece.length > joinedBytes) {
      start = 0;
      this.room = Buffer.allocUnsafeSlow(joinedBytes);
      this.room.set(last);
    }
    this.room.set(piece, start + last.length);
    list[list.length - 1] = this.room.subarray(start, start + last.length + piece.length);
  }

  /** Takes all of them. */
  takeAll(): Buffer[] {
    return this.list.splice(0);
  }
}
