import type { OriginProblem } from '@talpa/contracts';

/** What servers with TLS respond, with status 400, to a request without: nginx and lighttpd, Go, Apache. */
const phrases =
  /plain HTTP request was sent to HTTPS port|an HTTP request to an HTTPS server|plain HTTP to an SSL-enabled server port/;
const phrasesWithin = 4_096;

/** Whether the beginning of a 400's body says that the server speaks https. */
export function asksForHttps(piece: Buffer): boolean {
  return phrases.test(piece.toString('latin1', 0, phrasesWithin));
}

/** What connectors write into their log, in the words of Go's libraries. */
const causes: readonly (readonly [RegExp, OriginProblem])[] = [
  [/tls: failed to verify certificate|x509: /, 'certificate'],
  [
    /first record does not look like a TLS handshake|server gave HTTP response to HTTPS client/,
    'speaks_http',
  ],
  // A TLS alert in the place of a response.
  [/malformed HTTP response "\\x15\\x03/, 'speaks_https'],
  [/(: EOF|connection reset by peer)$/, 'closes'],
];

/** What a connector's error says of the panel; null: nothing that we can name. */
export function problemIn(error: string): OriginProblem | null {
  return causes.find(([pattern]) => pattern.test(error))?.[1] ?? null;
}
