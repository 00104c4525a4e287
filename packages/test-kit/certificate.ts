import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for `*.tunnel.localhost` that nobody trusts, and its key: for tests alone. */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBxDCCAWqgAwIBAgIUciNcSauzSOl89ZIX6uRpzFGKiTMwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSKi50dW5uZWwubG9jYWxob3N0MCAXDTI2MTEyMTA5MDc1OFoY
DzIxMjYxMDI4MDkwNzU4WjAdMRswGQYDVQQDDBIqLnR1bm5lbC5sb2NhbGhvc3Qw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASvUaS2BGceg0DVCjyIOkqZ3V5rxTQ4
DD2nIgFuq9foaqfgBU8DbDN2HscU9qFP9lfBZimK1mV6EtcD8N2kM0xvo4GFMIGC
MB0GA1UdDgQWBBRW3hbJFmwJUNPbpP1phAx1k65hyTAfBgNVHSMEGDAWgBRW3hbJ
FmwJUNPbpP1phAx1k65hyTAPBgNVHRMBAf8EBTADAQH/MC8GA1UdEQQoMCaCEiou
dHVubmVsLmxvY2FsaG9zdIIQdHVubmVsLmxvY2FsaG9zdDAKBggqhkjOPQQDAgNI
ADBFAiB+8nyqso3Yc38EPwHXouo4Ws34Rzj8CcNcSO4IuEHO9AIhAMIrgCqjr+iU
W9K8mfC/k8wJUoQkKmopLQMFNKiOJXCn
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1c/mjvWZW5jyKqL7
GquTRbHOKgonG0NLu7UfpbOg+VShRANCAASvUaS2BGceg0DVCjyIOkqZ3V5rxTQ4
DD2nIgFuq9foaqfgBU8DbDN2HscU9qFP9lfBZimK1mV6EtcD8N2kM0xv
-----END PRIVATE KEY-----
`,
};

/** The same as files in a new folder. */
export function certificateFiles(): { folder: string; certFile: string; keyFile: string } {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-certificate-'));
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certFile, testCertificate.cert);
  writeFileSync(keyFile, testCertificate.key, { mode: 0o600 });
  return { folder, certFile, keyFile };
}
