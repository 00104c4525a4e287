import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets, setInstallationId } from '@talpa/instance/secrets';
import { afterAll, describe, expect, it } from 'vitest';
import { postgresFolders, renameEarlierFolder } from './postgres-folders.ts';

/** Neither root nor the owner of any home. */
const stranger = { uid: 65_534, gid: 65_534 };
const made = new Set<string>();
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const closedHome = () => join(mkdtempSync(join(tmpdir(), 'talpa-closed-')), 'home');

/** Where the database of a home lies that only we may enter. */
function folderOf(home: string): string {
  const folders = homeFolders(home);
  const secrets = readSecrets(folders.secrets);
  chmodSync(dirname(home), 0o700);
  const folder = dirname(postgresFolders(folders, secrets, stranger, () => {}).data);
  made.add(folder);
  return folder;
}

describe.skipIf(process.getuid?.() !== 0)('the database of a home that Postgres cannot enter', () => {
  it('lies outside, and is found again when the home is moved', () => {
    const home = closedHome();
    const folder = folderOf(home);
    expect(folder).toMatch(/^\/var\/lib\/talpa\/[0-9a-f]{10}$/);
    renameSync(home, `${home}-moved`);
    expect(folderOf(`${home}-moved`)).toBe(folder);
  });

  it('is not that of a home restored beside it, as the same installation', () => {
    const [home, restored] = [closedHome(), closedHome()];
    const folder = folderOf(home);
    const { installationId } = readSecrets(homeFolders(home).secrets);
    const fresh = folderOf(restored);
    setInstallationId(homeFolders(restored).secrets, installationId);
    expect(folderOf(restored)).toBe(fresh);
    expect(fresh).not.toBe(folder);
  });

  it('serves no copy of the home; no message asks to remove anything', () => {
    const [home, copy] = [closedHome(), closedHome()];
    folderOf(home);
    cpSync(home, copy, { recursive: true });
    expect(() => folderOf(copy)).toThrow(`${copy} is a copy of ${home}.`);
    expect(() => folderOf(copy)).toThrow(/restore a backup into an empty TALPA_HOME.*Do not delete/);
  });

  it('is taken along from where an earlier version has put it, by a name that a restored backup changes', () => {
    const home = closedHome();
    const secrets = readSecrets(homeFolders(home).secrets);
    const earlier = join('/var/lib/talpa', secrets.installationId);
    mkdirSync(join(earlier, 'postgres'), { recursive: true });
    expect(folderOf(home)).toBe(earlier);
    renameEarlierFolder(homeFolders(home), secrets);
    expect(existsSync(earlier)).toBe(false);
    setInstallationId(homeFolders(home).secrets, 'another');
    expect(existsSync(join(folderOf(home), 'postgres'))).toBe(true);
  });
});
