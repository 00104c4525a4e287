/** Pieces are joined up to so many bytes. */
const joinedBytes = 4_096;

/** Adds a piece of what waits. Joined or copied: many small pieces would take far more memory than their bytes. */
export function addPiece(pieces: Buffer[], piece: Buffer): void {
  const last = pieces.at(-1);
  if (last && last.length + piece.length <= joinedBytes)
    pieces[pieces.length - 1] = Buffer.concat([last, piece]);
  else pieces.push(piece.length * 2 < piece.buffer.byteLength ? Buffer.from(piece) : piece);
}
