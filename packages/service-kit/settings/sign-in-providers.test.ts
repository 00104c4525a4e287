import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings.ts';

const secret = 'streng-geheim';
const one = {
  id: 'company',
  label: 'Firma',
  issuer: 'https://id.example.org/',
  clientId: 'talpa',
  clientSecret: secret,
};
const read = (list: unknown) =>
  readSettings(['SIGN_IN_PROVIDERS'], {
    SIGN_IN_PROVIDERS: typeof list === 'string' ? list : JSON.stringify(list),
  }).SIGN_IN_PROVIDERS;

describe('SIGN_IN_PROVIDERS', () => {
  it('creates no accounts and trusts no provider for the second factor, unless it says so', () => {
    const { issuer: _none, ...discord } = { ...one, id: 'discord', kind: 'discord' };
    expect(read([one, discord])).toMatchObject([
      {
        kind: 'openid',
        issuer: 'https://id.example.org',
        createAccounts: false,
        trustedForSecondFactor: false,
      },
      {
        kind: 'discord',
        issuer: 'https://discord.com',
        createAccounts: false,
        trustedForSecondFactor: false,
      },
    ]);
    expect(read('')).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['not a list in JSON', `[${secret}`],
    ['provider 2: clientId', [one, { ...one, id: 'other', clientId: 5 }]],
    ['provider 1: unknown: clientsecret', [{ ...one, clientsecret: secret }]],
    ['two providers have the same issuer', [one, { ...one, id: 'other' }]],
  ])('is refused with what is wrong and without a secret: %s', (message, list) => {
    const refusal = () => read(list);
    expect(refusal).toThrow(message);
    expect(refusal).not.toThrow(secret);
  });
});
