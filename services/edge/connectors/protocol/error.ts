/** What a peer sent is none of the messages we speak: its connection ends. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
