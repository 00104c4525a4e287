import { describe, expect, it } from 'vitest';
import { asksForHttps, problemIn } from './origin-problems.ts';

const unable =
  'Unable to reach the origin service. The service may be down or it may not be responding to traffic from cloudflared: ';

describe('what cloudflared writes about an origin', () => {
  it.each([
    ['tls: failed to verify certificate: x509: certificate signed by unknown authority', 'certificate'],
    [
      "tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
      'certificate',
    ],
    [
      'tls: failed to verify certificate: x509: certificate is valid for panel.example.com, not x.example',
      'certificate',
    ],
    ['tls: first record does not look like a TLS handshake', 'speaks_http'],
    ['http: server gave HTTP response to HTTPS client', 'speaks_http'],
    [
      String.raw`net/http: HTTP/1.x transport connection broken: malformed HTTP response "\x15\x03\x01\x00\x02\x02F"`,
      'speaks_https',
    ],
    ['EOF', 'closes'],
    ['read tcp 127.0.0.1:5000->127.0.0.1:8443: read: connection reset by peer', 'closes'],
    ['dial tcp 127.0.0.1:1: connect: connection refused', null],
    ['dial tcp: lookup panel.invalid: no such host', null],
    ['malformed HTTP response "EOF: is what it says"', null],
  ])('names a problem or none: %s', (error, problem) => expect(problemIn(unable + error)).toBe(problem));
});

it('a 400 of nginx, Go or Apache to what speaks http to its https says so, any other does not', () => {
  for (const body of [
    '<html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>',
    'Client sent an HTTP request to an HTTPS server.\n',
    "Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
  ])
    expect(asksForHttps(Buffer.from(body)), body).toBe(true);
  for (const body of [
    '',
    'Bad Request',
    '{"error":"https is required"}',
    `${' '.repeat(5_000)}plain HTTP request was sent to HTTPS port`,
  ])
    expect(asksForHttps(Buffer.from(body)), body).toBe(false);
});
