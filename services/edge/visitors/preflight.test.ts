import { expect, it } from 'vitest';
import { stripPreflight } from './preflight.ts';

it('leaves of a preflight its own headers, and asks for what nobody has to unpack', () => {
  const own = {
    ...{ ':path': '/a', origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    ...{ 'access-control-request-headers': 'x-a', 'access-control-request-private-network': 'true' },
    ...{ 'x-forwarded-for': '203.0.113.7', 'cf-ray': 'an-id' },
  };
  const others = {
    ...{ 'access-control-request-key': 'k', authorization: 'Bearer x', cookie: 'a=1', accept: '*/*' },
    'accept-encoding': 'gzip',
  };
  const fields = { ...own, ...others };
  stripPreflight(fields);
  // Without one cloudflared would ask for gzip, unpack what it gets, and lose the length.
  expect(fields).toEqual({ ...own, 'accept-encoding': 'identity' });
});
