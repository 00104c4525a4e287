import { describe, expect, it } from 'vitest';
import { createSessionCookie } from './cookie.ts';

describe('the session cookie', () => {
  it('is out of reach for scripts and other sites, and ends with its session', () => {
    expect(createSessionCookie(false).set('a.b.c', new Date('2027-01-02T03:04:05Z'))).toBe(
      'talpa_session=a.b.c; Path=/; Expires=Sat, 02 Jan 2027 03:04:05 GMT; HttpOnly; SameSite=Lax',
    );
  });

  it('is bound to this host and to TLS where the panel is reached by https', () => {
    const cookie = createSessionCookie(true);
    expect(cookie.set('a.b.c', new Date('2027-01-02T03:04:05Z'))).toMatch(
      /^__Host-talpa_session=a\.b\.c; .*; Secure/,
    );
    expect(cookie.clear).toMatch(/^__Host-talpa_session=; Max-Age=0; Path=\/;.* Secure/);
    expect(cookie.read('talpa_session=planted')).toBeUndefined();
  });

  it('is found among others', () => {
    const cookie = createSessionCookie(false);
    expect(cookie.read('a=1; talpa_session=a.b.c; b=2')).toBe('a.b.c');
    expect(cookie.read('not_talpa_session=x')).toBeUndefined();
    expect(cookie.read(undefined)).toBeUndefined();
  });
});
