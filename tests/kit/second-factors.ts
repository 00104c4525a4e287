import type { RequestOf, ResponseOf, RouteName, Routes } from '@talpa/contracts';
import { codeAt } from '../../services/auth/second-factors/totp.ts';

/** How a test calls the API as somebody who is signed in. */
export type CallAs = <N extends RouteName>(
  route: N,
  input: RequestOf<Routes[N]>,
) => Promise<ResponseOf<Routes[N]>>;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A secret as it is typed, as bytes. */
function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Somebody's authenticator app. */
export interface App {
  /** The code it shows so many steps of 30 seconds from now. */
  code(steps: number): string;
  /** What it shows now. */
  now(): string;
  /** What it shows next: it counts already, and still does when a step ends meanwhile. */
  next(): string;
}

export function appWith(secret: string): App {
  const bytes = bytesOf(secret);
  const code = (steps: number) => codeAt(bytes, Math.floor(Date.now() / 30_000) + steps);
  return { code, now: () => code(0), next: () => code(1) };
}

/** Sets up an app as people do. The code that it shows now is used up, the next one counts. */
export async function setUpApp(call: CallAs): Promise<{ app: App; recoveryCodes: string[] }> {
  const { secret } = await call('POST /api/user/authenticator', {});
  const app = appWith(secret);
  const { recoveryCodes } = await call('POST /api/user/authenticator/confirmation', { code: app.now() });
  return { app, recoveryCodes };
}
