import { expect, it } from 'vitest';
import { apiHeaders, panelPolicy, securityHeaders } from './headers.ts';

it('every response makes browsers trust neither its type nor other pages, and limits what a page may do', () => {
  const headers = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  expect(securityHeaders(false)).toEqual(headers);
  expect(securityHeaders(true)).toEqual({ ...headers, 'strict-transport-security': 'max-age=31536000' });
});

it('a response of the API is kept by nobody', () => {
  expect(apiHeaders).toEqual({ 'cache-control': 'private, no-store' });
});

it('the panel’s page loads its own files and what carries its nonce, and nothing else', () => {
  const policy = panelPolicy('n1').split('; ');
  expect(policy.toSorted()).toEqual(
    [
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "manifest-src 'self'",
      "script-src 'self' 'nonce-n1'",
      "style-src 'self' 'nonce-n1'",
    ].toSorted(),
  );
});
