import 'reflect-metadata';
import { createHash, KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Extension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;
/** `id-pe-acmeIdentifier`. */
const acmeIdentifier = '1.3.6.1.5.5.7.1.31';
/** The tag and the length of 32 bytes in DER. */
const octetString = Buffer.from([0x04, 32]);

/** Makes the certificate that answers a TLS-ALPN-01 challenge (RFC 8737, 3). @param answer the key authorization */
export async function createChallengeContext(host: string, answer: string): Promise<SecureContext> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const digest = createHash('sha256').update(answer).digest();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    keys,
    signingAlgorithm: algorithm,
    serialNumber: randomBytes(15).toString('hex'),
    name: `CN=${host.slice(0, 64)}`,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    extensions: [
      new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      new Extension(acmeIdentifier, true, Buffer.concat([octetString, digest])),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return createSecureContext({ cert: certificate.toString('pem'), key });
}
