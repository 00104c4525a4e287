/** Why a stream or a connection ends (RFC 9113, 7). */
export const errorCodes = {
  noError: 0x0,
  protocolError: 0x1,
  internalError: 0x2,
  flowControlError: 0x3,
  streamClosed: 0x5,
  frameSizeError: 0x6,
  refusedStream: 0x7,
  cancel: 0x8,
  compressionError: 0x9,
  enhanceYourCalm: 0xb,
} as const;
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** The peer broke HTTP/2 in a way that ends the connection. */
export class ConnectionError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The peer broke HTTP/2 in a way that ends this stream alone. */
export class StreamError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
