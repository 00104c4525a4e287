import 'reflect-metadata';
import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthorityKeyIdentifierExtension, X509CertificateGenerator } from '@peculiar/x509';
import { randomFrom } from '@talpa/test-kit/requests/random';
import { expect, it, onTestFinished } from 'vitest';
import { retryAfterOf } from './authority-calls.ts';
import { askRenewal, renewalIdOf, thirdLeft, validityOf } from './renewal.ts';

const random = randomFrom(35);
const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
  'sign',
  'verify',
]);

async function newCertificate(serialNumber: string, withAuthority = true) {
  const notBefore = new Date(Math.floor(Date.now() / 1_000) * 1_000 - random.below(10 ** 9));
  const made = await X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber, name: 'CN=panel.example.test', keys },
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    ...{ notBefore, notAfter: new Date(notBefore.getTime() + 1_000 * (1 + random.below(10 ** 8))) },
    extensions: withAuthority ? [await AuthorityKeyIdentifierExtension.create(keys.publicKey)] : [],
  });
  return made.toString('pem');
}

/** The contents of the certificate's serial number, read from its DER: certificate, its body, version, number. */
function serialOf(pem: string): Buffer {
  const der = new X509Certificate(pem).raw;
  const begin = (at: number) => at + 2 + ((der[at + 1] ?? 0) > 127 ? (der[at + 1] ?? 0) - 128 : 0);
  const number = begin(begin(0)) + 5;
  return der.subarray(number + 2, number + 2 + (der[number + 1] ?? 0));
}

it('a certificate has the id of RFC 9773: its example, and any serial number byte by byte', async () => {
  const example = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;
  expect(renewalIdOf(example)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  const serials = Array.from({ length: 40 }, () => randomBytes(1 + random.below(20)).toString('hex'));
  for (const serial of ['01', '7f', '80', '00ff00', ...serials]) {
    const pem = await newCertificate(serial);
    // The certificate comes first in a chain, whatever follows.
    const [authority, number = ''] = renewalIdOf(pem + example)?.split('.') ?? [];
    expect(Buffer.from(number, 'base64url'), serial).toEqual(serialOf(pem));
    expect(authority).toBe(renewalIdOf(pem)?.split('.')[0]);
  }
  expect(renewalIdOf(await newCertificate('01', false))).toBeNull();
});

it('two thirds of a lifetime are over when a third is left, however long it is', async () => {
  for (let round = 0; round < 40; round++) {
    const pem = await newCertificate('01');
    const { validFrom, validTo } = new X509Certificate(pem);
    const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
    expect(validityOf(pem)).toEqual({ notBefore: new Date(from), notAfter: new Date(to) });
    const third = thirdLeft(validityOf(pem)).getTime();
    expect(Math.abs(third - (from + (2 * (to - from)) / 3))).toBeLessThan(1);
  }
});

const [second, day] = [1_000, 86_400_000];

it.each<[string, number, unknown, object, [from: number, to: number] | null, number]>([
  ['asks again in six hours', 200, 1, {}, [1, 2], 6 * 3_600 * second],
  ['asks again when the response says', 200, 1, { 'retry-after': '7200' }, [1, 2], 7_200 * second],
  ['asks no more than once a minute', 200, 1, { 'retry-after': '1' }, [1, 2], 60 * second],
  ['asks at least once a day', 200, 1, { 'retry-after': '9999999' }, [1, 2], day],
  ['takes a window of one moment', 200, 0, {}, [1, 1], 6 * 3_600 * second],
  ['takes no window whose end comes first', 200, -1, {}, null, 6 * 3_600 * second],
  ['takes no window without moments', 200, 'soon', {}, null, 6 * 3_600 * second],
  ['takes nothing of an error', 404, 1, {}, null, 6 * 3_600 * second],
])('who asks the authority when to renew %s', async (_what, status, length, headers, within, askAgainMs) => {
  const start = Date.now() + day;
  const suggestedWindow =
    typeof length === 'number'
      ? { start: new Date(start).toISOString(), end: new Date(start + length * day).toISOString() }
      : { start: length };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const isDirectory = request.url === '/dir';
    response.writeHead(isDirectory ? 200 : status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(isDirectory ? { renewalInfo: `${url}/renewal` } : { suggestedWindow }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const moments = new Set<number>();
  for (let round = 0; round < 8; round++) {
    const chain = await newCertificate(randomBytes(8).toString('hex'));
    const advice = await askRenewal(`${url}/dir`, chain);
    expect(advice.askAgainMs).toBe(askAgainMs);
    expect(asked.at(-1)).toBe(`/renewal/${renewalIdOf(chain)}`);
    // The same each time, so that one who asks again does not wait for ever.
    expect(await askRenewal(`${url}/dir`, chain)).toEqual(advice);
    if (!within) expect(advice.renewAt).toBeNull();
    else {
      const at = ((advice.renewAt?.getTime() ?? 0) - start) / day;
      expect(at).toBeGreaterThanOrEqual(within[0] - 1);
      expect(at).toBeLessThanOrEqual(within[1] - 1);
      moments.add(at);
    }
  }
  if (within && within[0] !== within[1]) expect(moments.size, 'they spread over it').toBe(8);
});

it('an authority that does not respond is asked again later, and a third of the lifetime counts', async () => {
  const silent = 'http://127.0.0.1:1/dir';
  const advice = await askRenewal(silent, await newCertificate('01'));
  expect(advice).toEqual({ renewAt: null, askAgainMs: 6 * 3_600 * second });
});

it('Retry-After is seconds or a date, and never in the past', () => {
  const now = Date.parse('2026-11-27T20:00:00Z');
  const read = (value: unknown) => retryAfterOf(value, now);
  for (let round = 0; round < 100; round++) {
    const seconds = random.below(10 ** 6);
    expect(read(String(seconds))).toBe(seconds * second);
    expect(read(new Date(now + seconds * second).toUTCString())).toBe(seconds * second);
    expect(read(new Date(now - seconds * second).toUTCString())).toBe(0);
  }
  for (const nothing of [undefined, '', 'soon', '-5', '1.5'])
    expect([nothing, read(nothing)]).toEqual([nothing, undefined]);
});
