/** Every failure the API answers: its HTTP status, code and text, as Cloudflare's v4 API has them. */
export const apiErrors = {
  invalidRequest: { status: 400, code: 1001, message: 'Invalid request' },
  notJson: { status: 400, code: 9207, message: 'Request body is invalid.' },
  tooLarge: { status: 413, code: 9207, message: 'Request body is too large.' },
  unauthenticated: { status: 401, code: 10_000, message: 'Authentication error' },
  unauthorized: { status: 403, code: 9109, message: 'Unauthorized to access requested resource' },
  noRoute: { status: 404, code: 7000, message: 'No route for that URI' },
  invalidIdentifier: {
    status: 404,
    code: 7003,
    message: 'Could not route to the object, perhaps your object identifier is invalid?',
  },
  rateLimited: { status: 429, code: 10_429, message: 'Rate limited' },
  internal: { status: 500, code: 10_013, message: 'Internal error' },

  tunnelNotFound: { status: 404, code: 1003, message: 'Tunnel not found' },
  tunnelNameTaken: { status: 409, code: 1013, message: 'You already have a tunnel with this name' },
  tunnelConnected: {
    status: 400,
    code: 1022,
    message: 'Cannot delete tunnel because it has active connections',
  },
  badConfiguration: { status: 400, code: 1056, message: 'Bad Configuration' },

  recordNotFound: { status: 404, code: 81_044, message: 'Record does not exist.' },
  recordInvalid: { status: 400, code: 1004, message: 'DNS Validation Error' },
  recordOnHost: {
    status: 400,
    code: 81_053,
    message: 'An A, AAAA, or CNAME record with that host already exists.',
  },
  cnameOnHost: { status: 400, code: 81_054, message: 'A CNAME record with that host already exists.' },
  certificateNotFound: { status: 404, code: 1404, message: 'No certificate of that name is ordered.' },
  identicalRecord: { status: 400, code: 81_058, message: 'An identical record already exists.' },
} as const satisfies Record<string, { status: number; code: number; message: string }>;

/** A failure as the API answers it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  /** Seconds; becomes `retry-after`. */
  readonly retryAfter: number | undefined;

  /** @param detail what exactly was wrong, added to the text. */
  constructor(kind: keyof typeof apiErrors, detail?: string, retryAfter?: number) {
    const { status, code, message } = apiErrors[kind];
    super(detail ? `${message}: ${detail}` : message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}
