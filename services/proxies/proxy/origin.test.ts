import { originDefaults } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { originOf, refuseHttpsOnly } from './origin.ts';

const entries = { serverName: 'Server', serverIp: '192.0.2.1', adminPort: 40_120, customUrl: null };
const plain = { ...entries, ...originDefaults };

it('an admin panel is found at its address and port, IPv6 in brackets, as earlier versions named it', () => {
  expect(originOf(plain)).toEqual({ origin: 'http://192.0.2.1:40120' });
  const other = { ...plain, serverIp: '2001:db8::1', adminPort: 80, panel: 'amp' as const };
  expect(originOf(other)).toEqual({ origin: 'http://[2001:db8::1]:80' });
});

it('a panel with https is found so, and options are named where they are not as usual', () => {
  expect(originOf({ ...plain, originProtocol: 'https' })).toEqual({ origin: 'https://192.0.2.1:40120' });
  const options = {
    ...{ verifyCertificate: false, http2Origin: true },
    ...{ originServerName: 'panel.example.com', httpHostHeader: 'panel.example.com:8443' },
  };
  expect(originOf({ ...plain, originProtocol: 'https', ...options })).toEqual({
    origin: 'https://192.0.2.1:40120',
    originOptions: options,
  });
});

it('what only https has is refused with http, each at its field; the Host header has both', () => {
  const tls = { verifyCertificate: false, http2Origin: true, originServerName: 'panel.example.com' };
  expect(() => refuseHttpsOnly({ ...plain, ...tls })).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      issues: ['verifyCertificate', 'originServerName', 'http2Origin'].map((entry) => ({
        path: [entry],
        key: 'httpsOnly',
      })),
    }),
  );
  expect(() => refuseHttpsOnly({ ...plain, ...tls, originProtocol: 'https' })).not.toThrow();
  const header = { ...plain, httpHostHeader: 'panel.example.com' };
  expect(() => refuseHttpsOnly(header)).not.toThrow();
});
