import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAuthority } from './authority.ts';

let folder = '';
let files: [certificate: string, key: string] = ['', ''];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'talpa-authority-'));
  files = [join(folder, 'secrets', 'edge-ca.pem'), join(folder, 'secrets', 'edge-ca.key')];
});
afterEach(() => rmSync(folder, { recursive: true }));

it('an authority is made once, although several start at the same time, and only its owner reads it', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => readAuthority(...files)));
  expect(new Set(all.map(({ certificate }) => certificate)).size).toBe(1);
  expect((await readAuthority(...files)).certificate).toBe(all[0]?.certificate);
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(readdirSync(join(folder, 'secrets')).sort()).toEqual(['edge-ca.key', 'edge-ca.pem']);
});

it('what connectors are given of it holds no key, and the edge’s certificate is good by it for both names', async () => {
  const authority = await readAuthority(...files);
  expect(readFileSync(files[0], 'utf8')).toBe(authority.certificate);
  expect(authority.certificate).not.toContain('KEY');
  const root = new X509Certificate(authority.certificate);
  const now = Date.now();
  const issued = await authority.issue(now);
  const server = new X509Certificate(issued.cert);
  expect(root.ca).toBe(true);
  expect(server.ca).toBe(false);
  expect(server.checkIssued(root) && server.verify(root.publicKey)).toBe(true);
  for (const name of ['h2.cftunnel.com', 'probe.cftunnel.com']) expect(server.checkHost(name)).toBe(name);
  expect(issued.renewAt).toBeLessThan(server.validToDate.getTime());
  expect(issued.renewAt).toBeGreaterThan(now);
});

it('with a key that is lost or another’s the edge does not start: connectors trust the certificate they have', async () => {
  await readAuthority(...files);
  rmSync(files[1]);
  await expect(readAuthority(...files)).rejects.toThrow('missing');
  await readAuthority(join(folder, 'other.pem'), files[1]);
  await expect(readAuthority(...files)).rejects.toThrow('another key');
});

it('a damaged file is named', async () => {
  await readAuthority(...files);
  for (const file of files) {
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, 'garbage');
    await expect(readAuthority(...files)).rejects.toThrow(`${file} is damaged. Restore it from a backup`);
    writeFileSync(file, whole);
  }
});
