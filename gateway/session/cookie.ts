import { parseCookie, stringifySetCookie } from 'cookie';

/** The session cookie: how it is read from a request and what is sent to set or clear it. */
export interface SessionCookie {
  readonly name: string;
  /** The session's JWT in a `Cookie` header, whatever it is worth. */
  read(header: string | undefined): string | undefined;
  /** The `Set-Cookie` header of a new session. */
  set(jwt: string, expiresAt: Date): string;
  /** The `Set-Cookie` header that removes it. */
  readonly clear: string;
}

/** @param secure whether browsers reach the panel by https only. */
export function createSessionCookie(secure: boolean): SessionCookie {
  const name = secure ? '__Host-talpa_session' : 'talpa_session';
  const attributes = { name, path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    name,
    read: (header) => (header?.includes(name) ? parseCookie(header)[name] : undefined),
    set: (jwt, expiresAt) => stringifySetCookie({ ...attributes, value: jwt, expires: expiresAt }),
    clear: stringifySetCookie({ ...attributes, value: '', maxAge: 0 }),
  };
}
