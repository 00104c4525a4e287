import { describe, expect, it } from 'vitest';
import { confirmRecord, confirmZone } from './confirm.ts';

const fails = (message: string, fault?: string) =>
  expect.objectContaining({ kind: 'passing', message, fault, withoutRetry: fault !== undefined });

describe('a record', () => {
  const confirm = (changes: object) => () =>
    confirmRecord({ name: 'Srv.example.com', proxied: true, ...changes }, 'srv.example.com', 'create record');

  it('is what was asked for, whatever the case of its name', () => {
    expect(confirm({})).not.toThrow();
  });

  it('of another name, without proxy, or incomplete is reported as an error', () => {
    expect(confirm({ name: 'srv.example.com.example.org' })).toThrow(
      fails('create record: the record’s name became srv.example.com.example.org', 'domain_outside_zone'),
    );
    expect(confirm({ proxied: false })).toThrow(
      fails('create record: Srv.example.com is not proxied', 'record_not_proxied'),
    );
    expect(confirm({ name: undefined })).toThrow(fails('create record: the response is incomplete'));
  });
});

describe('a zone', () => {
  const zone = { name: 'example.com', account: { id: 'a1' }, paused: false, status: 'active' };
  const confirm =
    (changes: object = {}, domain = 'tunnel.example.com') =>
    () =>
      confirmZone({ ...zone, ...changes }, domain, 'a1');

  it('is right for its own name and names below it', () => {
    expect(confirm()).not.toThrow();
    expect(confirm({}, 'example.com')).not.toThrow();
    expect(confirm({ account: undefined, status: undefined })).not.toThrow();
    expect(confirm({ account: {} })).not.toThrow();
  });

  it('that cannot lead a name to our tunnels is a mistake that is said', () => {
    for (const [changes, domain, message, fault] of [
      [{}, 'notexample.com', 'notexample.com does not lie in the zone example.com', 'domain_outside_zone'],
      [
        { account: { id: 'a2' } },
        undefined,
        'the zone example.com is of account a2',
        'zone_of_another_account',
      ],
      [{ paused: true }, undefined, 'the zone example.com is paused', 'zone_inactive'],
      [{ status: 'pending' }, undefined, 'the zone example.com is pending', 'zone_inactive'],
    ] as const)
      expect(confirm(changes, domain)).toThrow(fails(`get zone: ${message}`, fault));
    expect(confirm({ name: '' })).toThrow(fails('get zone: the response is incomplete'));
  });
});
