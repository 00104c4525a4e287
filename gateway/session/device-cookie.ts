import { hash, randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';

/** Recognizes a browser that has signed in before, also after its sessions have ended. It authorizes nothing. */
export interface DeviceCookie {
  /** The device of a request's `Cookie` header, or a new one. */
  of(header: string | undefined): Device;
}
interface Device {
  /** The SHA-256 of the secret: auth never gets the secret. */
  readonly hash: string;
  /** The `Set-Cookie` header with which the browser keeps it for another year. */
  readonly setCookie: string;
}

const maximumAge = 365 * 24 * 60 * 60;
const secretPattern = /^[\w-]{43}$/;

/** @param secure whether browsers reach the panel by https only. */
export function createDeviceCookie(secure: boolean): DeviceCookie {
  const name = secure ? '__Host-talpa_device' : 'talpa_device';
  return {
    of: (header) => {
      const known = header?.includes(name) ? parseCookie(header)[name] : undefined;
      const value = known && secretPattern.test(known) ? known : randomBytes(32).toString('base64url');
      return {
        hash: hash('sha256', value, 'base64url'),
        setCookie: stringifySetCookie({
          name,
          value,
          path: '/',
          httpOnly: true,
          sameSite: 'lax',
          secure,
          maxAge: maximumAge,
        }),
      };
    },
  };
}
