import { AppError } from '@talpa/service-kit/app-error';
import { expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

it('there are no passkeys without a public address that they can be made for', () => {
  for (const context of [
    { passkeyHost: null, publicUrl: undefined },
    { passkeyHost: null, publicUrl: 'http://192.0.2.1' },
  ])
    expect(() => relyingPartyOf(context)).toThrow(new AppError('passkeys_unavailable'));
});

it('passkeys are made for the host and the origin of PUBLIC_URL', () => {
  const context = { passkeyHost: 'panel.example.org', publicUrl: 'https://panel.example.org:8443/' };
  expect(relyingPartyOf(context)).toEqual({
    ...{ host: 'panel.example.org', origin: 'https://panel.example.org:8443' },
  });
});
