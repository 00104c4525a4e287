import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { AuthorityKeyIdentifierExtension, X509Certificate } from '@peculiar/x509';
import { axios } from 'acme-client';
import { retryAfterOf } from './authority-calls.ts';

/** What a certificate says of itself. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Reads the first certificate of a chain. */
const firstOf = (chain: string) =>
  new X509Certificate(chain.slice(0, chain.indexOf('-----END CERTIFICATE-----') + 25));

export function validityOf(chain: string): Validity {
  const { notBefore, notAfter } = firstOf(chain);
  return { notBefore, notAfter };
}

/** When a certificate has a third of its lifetime left. */
export function thirdLeft({ notBefore, notAfter }: Validity): Date {
  return new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) / 3);
}

/** The certificate's id in renewal information (RFC 9773, 4.1); null where it names no authority key. */
export function renewalIdOf(chain: string): string | null {
  const certificate = firstOf(chain);
  const authority = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (!authority) return null;
  // A number whose first bit is set has a zero before it in DER.
  const serial = certificate.serialNumber.replace(/^([89a-f])/i, '00$1');
  return [authority, serial].map((hex) => Buffer.from(hex, 'hex').toString('base64url')).join('.');
}

/** When the authority wants a certificate renewed (ARI). */
export interface RenewalAdvice {
  readonly renewAt: Date | null;
  /** When to ask again. */
  readonly askAgainMs: number;
}

const dayMs = 86_400_000;
const usualMs = 6 * 3_600_000;
const bounded = (ms: number) => Math.min(Math.max(ms, 60_000), dayMs);

/** Asks the authority when to renew. It never fails: without an answer a third of the lifetime counts. */
export async function askRenewal(directory: string, chain: string): Promise<RenewalAdvice> {
  const id = renewalIdOf(chain);
  if (!id) return { renewAt: null, askAgainMs: dayMs };
  try {
    const { renewalInfo } = (await axios.get(directory)).data as { renewalInfo?: string };
    if (!renewalInfo) return { renewAt: null, askAgainMs: dayMs };
    const { status, data, headers } = await axios.get(`${renewalInfo}/${id}`);
    const askAgainMs = bounded(retryAfterOf(headers['retry-after']) ?? usualMs);
    return { renewAt: status === 200 ? momentIn(data.suggestedWindow, id) : null, askAgainMs };
  } catch {
    return { renewAt: null, askAgainMs: usualMs };
  }
}

/** A moment of the window, the same each time: installations spread over it (RFC 9773, 4.2). */
function momentIn(window: { start?: string; end?: string } | undefined, id: string): Date | null {
  const [start, end] = [Date.parse(window?.start ?? ''), Date.parse(window?.end ?? '')];
  if (Number.isNaN(start) || Number.isNaN(end) || end < start) return null;
  const share = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
  return new Date(start + (end - start) * share);
}
