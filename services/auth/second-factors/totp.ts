import { Secret, TOTP } from 'otpauth';

/** What every authenticator app understands: RFC 6238 with SHA-1, six digits, 30 seconds. */
const stepSeconds = 30;
const parameters = { algorithm: 'SHA1', digits: 6, period: stepSeconds } as const;
/** How many steps the clock of a phone may differ from ours. */
const skewSteps = 1;
const secretBytes = 20;

export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: secretBytes }).bytes);

const secretOf = (bytes: Buffer) => new Secret({ buffer: Uint8Array.from(bytes).buffer });

/** A secret as people type it. */
export const shownSecret = (bytes: Buffer): string => secretOf(bytes).base32;

/** What the QR code says. */
export function totpUri(bytes: Buffer, issuer: string, label: string): string {
  return new TOTP({ ...parameters, issuer, label, secret: secretOf(bytes) }).toString();
}

/** The time step that a code belongs to; null: it is wrong now. */
export function stepOf(bytes: Buffer, code: string, now = Date.now()): number | null {
  const totp = new TOTP({ ...parameters, secret: secretOf(bytes) });
  const delta = totp.validate({ token: code, timestamp: now, window: skewSteps });
  return delta === null ? null : Math.floor(now / 1_000 / stepSeconds) + delta;
}

/** The code of a time step, as an app shows it. */
export function codeAt(bytes: Buffer, step: number): string {
  return new TOTP({ ...parameters, secret: secretOf(bytes) }).generate({
    timestamp: step * stepSeconds * 1_000,
  });
}
