import 'reflect-metadata';
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
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
interface ServerCertificate {
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

/**
 * Reads the authority from its two files, making those that are missing. Processes that start at once agree on
 * the files that were there first: a certificate made by another is as good, it is of the same key.
 * @throws Error when the key of an existing certificate is missing: connectors trust that one.
 */
export async function readAuthority(certificateFile: string, keyFile: string): Promise<Authority> {
  const known = readFile(certificateFile);
  const key = readFile(keyFile);
  if (known && !key) throw new Error('the key of the edge’s authority is missing (EDGE_CA_KEY_FILE)');
  const keyPem = key ?? keepFile(keyFile, await newKey());
  const keys = await openKeys(keyPem).catch((cause) => {
    throw damaged(keyFile, cause);
  });
  const pem = known ?? keepFile(certificateFile, await certify(keys));
  const issuer = openCertificate(pem, certificateFile);
  if (!(await issuer.verify({ publicKey: keys.publicKey, signatureOnly: true })))
    throw new Error('the edge’s authority has another key (EDGE_CA_FILE, EDGE_CA_KEY_FILE)');
  return { certificate: pem, issue: (now = Date.now()) => issueFor(issuer, keys.privateKey, now) };
}

function openCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw damaged(file, cause);
  }
}

const damaged = (file: string, cause: unknown) =>
  new Error(`${file} is damaged. Restore it from a backup`, { cause });

function readFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** A link is made as a whole or not at all, and never over another file. @returns what the file holds then */
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

async function newKey(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return keyPem(privateKey);
}

async function openKeys(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const der = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ format: 'der', type });
  const privateKey = createPrivateKey(pem);
  const { subtle } = webcrypto;
  return {
    privateKey: await subtle.importKey('pkcs8', der(privateKey, 'pkcs8'), algorithm, false, ['sign']),
    publicKey: await subtle.importKey('spki', der(createPublicKey(privateKey), 'spki'), algorithm, true, [
      'verify',
    ]),
  };
}

/** The authority's own certificate. */
async function certify(keys: webcrypto.CryptoKeyPair): Promise<string> {
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
  return `${certificate.toString('pem')}\n`;
}

async function issueFor(
  issuer: X509Certificate,
  signingKey: webcrypto.CryptoKey,
  now: number,
): Promise<ServerCertificate> {
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
