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

/** Certificates for this machine (`localhost`, 127.0.0.1 and 127.0.0.2), one valid for a century, one long expired. */
export const serverCertificates = {
  valid: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBbDCCAROgAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJuo18ie3Ah8YQVV
GeJB9kfRvdaTz0MQiz0zW5moB8swM3A904n1WO4Go+y4ipuVyvwKx/D2TGbZzx3r
s5JYP4ijVDBSMCAGA1UdEQQZMBeCCWxvY2FsaG9zdIcEfwAAAYcEfwAAAjAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBSJESKwzvliczwUF2EWMYFAgOC3XjAKBggq
hkjOPQQDAgNHADBEAiBQh/Peoz5UnuttUpu0kU0pexzaqoziTR5krqrTIbQ4cAIg
evCWnv1aSLE2IHS3BdPHVyFGFMg0jCXAbGmzh1pTYxk=
-----END CERTIFICATE-----
`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjgz8m/2uINECP9vK
/Uy+Bv7A9jMT/1geaPsop4elPSWhRANCAASbqNfIntwIfGEFVRniQfZH0b3Wk89D
EIs9M1uZqAfLMDNwPdOJ9VjuBqPsuIqblcr8Csfw9kxm2c8d67OSWD+I
-----END PRIVATE KEY-----
`,
  },
  expired: {
    cert: `-----BEGIN CERTIFICATE-----
MIIBbDCCARGgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARe18gj6rSEUya7Z0f5
RDDY8USk1n/7jdjXCWmOvTZyXk+HA938wiPD1KvC0ZVH1OB8h6mniaJjoMXpi43j
1d1io1QwUjAgBgNVHREEGTAXgglsb2NhbGhvc3SHBH8AAAGHBH8AAAIwDwYDVR0T
AQH/BAUwAwEB/zAdBgNVHQ4EFgQUyuAaPhSqaMyt6xSnX1RFYCwM1NwwCgYIKoZI
zj0EAwIDSQAwRgIhANiqVEKq7UKkbWOCT76ns/S2aCFoOCFGmTOOZJdFB6NzAiEA
3RFZRddya3FAa6RtAroaXuX1sN4iNK/OX1BAjVzcr6s=
-----END CERTIFICATE-----
`,
    key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTe1Gv3iXc8i9JIdP
BaNHmU73bv5XMpIW5dIzu+AZeHmhRANCAARe18gj6rSEUya7Z0f5RDDY8USk1n/7
jdjXCWmOvTZyXk+HA938wiPD1KvC0ZVH1OB8h6mniaJjoMXpi43j1d1i
-----END PRIVATE KEY-----
`,
  },
};

/** `testCertificate` as files in a new folder. */
export function certificateFiles(): { folder: string; certFile: string; keyFile: string } {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-certificate-'));
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certFile, testCertificate.cert);
  writeFileSync(keyFile, testCertificate.key, { mode: 0o600 });
  return { folder, certFile, keyFile };
}
