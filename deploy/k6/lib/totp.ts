import { hmac } from 'k6/crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app with this secret shows now (RFC 6238). */
export function codeNow(secret: string): string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = new Uint8Array((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setUint32(4, Math.floor(Date.now() / 30_000));
  const hash = hmac('sha1', key.buffer, counter.buffer, 'hex');
  const at = Number.parseInt(hash.slice(-1), 16) * 2;
  const value = Number.parseInt(hash.slice(at, at + 8), 16) & 0x7fffffff;
  return String(value % 1_000_000).padStart(6, '0');
}
