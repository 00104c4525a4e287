import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;
const authorityDays = 7_300;
const serverDays = 90;
/** Names that connectors ask for: the first for connections, the second when they look before they start. */
const serverNames = ['h2.cftunnel.com', 'probe.cftunnel.com'];

/** Key and certificate as PEM: what a TLS server takes. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
  /** When the next one is to be made, in ms since 1970. */
  readonly renewAt: number;
}

/** What connectors trust, and what the edge shows them. */
export interface Authority {
  /** The authority's certificate as PEM: public, for connectors to trust. */
  readonly certificate: string;
  /** Issues a certificate for the edge, good for 90 days from `now`. */
  issue(now?: number): Promise<ServerCertificate>;
}

/** The certificate in an authority's PEM, without its key. @throws Error when there is none. */
export function authorityCertificate(pem: string): string {
  const [certificate] = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/) ?? [];
  if (!certificate) throw new Error('the edge’s authority holds no certificate');
  return `${certificate}\n`;
}

/**
 * The authority's PEM (certificate and key): the setting's, else the file's, which is made when it is missing.
 * Processes that start at once agree on the one that was there first.
 */
export async function readAuthority(pem: string | undefined, file: string | undefined): Promise<string> {
  if (pem) return pem;
  if (!file) throw new Error('EDGE_CA or EDGE_CA_FILE is missing');
  return readFile(file) ?? keepFile(file, await createAuthority());
}

function readFile(file: string): string | null {
  try {
    const pem = readFileSync(file, 'utf8');
    authorityCertificate(pem);
    return pem;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** A link is made as a whole or not at all, and never over another file. */
function keepFile(file: string, pem: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, pem, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, 'utf8');
}

/** Makes an authority: its certificate and its key as PEM. */
export async function createAuthority(): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Talpa edge authority',
    ...validity(Date.now(), authorityDays),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return `${certificate.toString('pem')}\n${await keyPem(keys.privateKey)}`;
}

/** @param pem certificate and key of an authority. @throws Error when they are none. */
export async function openAuthority(pem: string): Promise<Authority> {
  const certificate = authorityCertificate(pem);
  const issuer = new X509Certificate(certificate);
  const [key] = PemConverter.decodeWithHeaders(pem)
    .filter(({ type }) => type === 'PRIVATE KEY')
    .map(({ rawData }) => rawData);
  if (!key) throw new Error('the edge’s authority holds no key');
  const signingKey = await webcrypto.subtle.importKey('pkcs8', key, algorithm, false, ['sign']);
  return {
    certificate,
    issue: async (now = Date.now()) => {
      const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const issued = await X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: 'CN=Talpa edge',
        issuer: issuer.subject,
        ...validity(now, serverDays),
        publicKey: keys.publicKey,
        signingKey,
        signingAlgorithm: algorithm,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
          new SubjectAlternativeNameExtension(serverNames.map((value) => ({ type: 'dns', value }))),
        ],
      });
      const renewAt = now + (serverDays / 3) * 2 * dayMs;
      return { cert: issued.toString('pem'), key: await keyPem(keys.privateKey), renewAt };
    },
  };
}

/** From a day before, for machines whose clock is slow. */
function validity(now: number, days: number) {
  return { notBefore: new Date(now - dayMs), notAfter: new Date(now + days * dayMs) };
}

function serialNumber(): string {
  return `01${randomBytes(15).toString('hex')}`;
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const raw = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${PemConverter.encode(raw, 'PRIVATE KEY')}\n`;
}
