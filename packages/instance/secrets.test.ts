import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSecrets } from './secrets.ts';

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'talpa-secrets-')), 'secrets');

it('lets only their owner read the secrets', () => {
  const folder = newFolder();
  readSecrets(folder);
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o777,
  );
  expect(modes).toEqual([0o700, ...Array.from({ length: modes.length - 1 }, () => 0o600)]);
  expect(modes.length).toBeGreaterThan(4);
});

it('makes a home that others may enter: the stores run as users of their own', () => {
  const home = join(newFolder(), 'home');
  readSecrets(join(home, 'secrets'));
  expect(statSync(home).mode & 0o055).toBe(0o055);
});

it('makes each secret once, and another one for each installation and each role', () => {
  const folder = newFolder();
  const [first, again, other] = [readSecrets(folder), readSecrets(folder), readSecrets(newFolder())];
  const values = (secrets: typeof first) => [
    readFileSync(secrets.sessionKeys, 'utf8'),
    readFileSync(secrets.tokenKeys, 'utf8'),
    readFileSync(secrets.factorKeys, 'utf8'),
    readFileSync(secrets.channelKeys, 'utf8'),
    readFileSync(secrets.certificateKeys, 'utf8'),
    secrets.providerToken,
    secrets.edgePeerSecret,
    secrets.installationId,
    secrets.storePassword('auth_app'),
    secrets.storePassword('auth_owner'),
  ];
  expect(values(again)).toEqual(values(first));
  expect(new Set([...values(first), ...values(other)]).size).toBe(20);
});

it('gives a new home the name that INSTALLATION_ID says, and no other one later', () => {
  const folder = newFolder();
  const names = ['maulwurf', undefined, ''].map((given) => readSecrets(folder, given).installationId);
  expect(names).toEqual(['maulwurf', 'maulwurf', 'maulwurf']);
  expect(() => readSecrets(folder, 'wuehlmaus')).toThrow(/“wuehlmaus”, but this installation is “maulwurf”/);
});

it('says so where its folder cannot be made, instead of trying for ever', () => {
  expect(() => readSecrets('/proc/talpa/secrets')).toThrow(
    /^\/proc\/talpa cannot be written to \(ENOENT\)\.$/,
  );
});

it.each([
  ['session-keys', 'garbage'],
  ['token-keys', 'a:short'],
  ['factor-keys', 'a:short'],
  ['channel-keys', 'a:short'],
  ['certificate-keys', 'a:short'],
  ['installation-id', 'Über; alles'],
  ['store-seed', '\0\0\0\0'],
  ['provider-token', 'x'],
])('names a damaged %s, and what to do', (name, text) => {
  const folder = newFolder();
  readSecrets(folder);
  const path = join(folder, name);
  writeFileSync(path, text);
  expect(() => readSecrets(folder)).toThrow(
    `${path} is damaged: it does not hold what belongs there. Restore`,
  );
});

it('does not go on with a secret that was lost', () => {
  const folder = newFolder();
  readSecrets(folder);
  writeFileSync(join(folder, 'session-keys'), '');
  expect(() => readSecrets(folder)).toThrow(/session-keys is empty/);
});
