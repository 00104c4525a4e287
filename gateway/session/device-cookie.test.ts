import { describe, expect, it } from 'vitest';
import { createDeviceCookie } from './device-cookie.ts';

describe('the cookie by which a browser is known again', () => {
  it('is kept for a year, out of reach for scripts and other sites, and sends auth only its hash', () => {
    const { setCookie, hash } = createDeviceCookie(false).of(undefined);
    const [, secret] =
      /^talpa_device=([\w-]{43}); Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/.exec(setCookie) ?? [];
    expect(secret).toBeDefined();
    expect(hash).not.toBe(secret);
    const again = createDeviceCookie(false).of(`a=1; talpa_device=${secret}`);
    expect(again).toEqual({ hash, setCookie });
  });

  it('is bound to this host and to TLS where the panel is reached by https', () => {
    expect(createDeviceCookie(true).of(undefined).setCookie).toMatch(/^__Host-talpa_device=.*; Secure/);
  });

  it.each(['short', `${'a'.repeat(42)}"`, ''])('that is not ours (%s) is replaced', (value) => {
    const { setCookie } = createDeviceCookie(false).of(`talpa_device=${value}`);
    expect(setCookie).toMatch(/^talpa_device=[\w-]{43};/);
  });
});
