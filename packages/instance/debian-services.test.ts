import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { withoutServices } from './debian-services.ts';

const newBase = () => mkdtempSync(join(tmpdir(), 'talpa-debian-'));
const policyIn = (base: string) => join(base, 'usr/sbin/policy-rc.d');
const filesIn = (base: string) => globSync('**/*', { cwd: base });

function withOwnPolicy(): string {
  const base = newBase();
  mkdirSync(dirname(policyIn(base)), { recursive: true });
  writeFileSync(policyIn(base), '#!/bin/sh\nexit 0\n');
  chmodSync(policyIn(base), 0o751);
  return base;
}

it('keeps services from starting only while packages are installed', async () => {
  const base = newBase();
  await withoutServices(async () => {
    expect(readFileSync(policyIn(base), 'utf8')).toMatch(/exit 101/);
    expect(statSync(policyIn(base)).mode & 0o111).toBe(0o111);
    const cluster = join(base, 'etc/postgresql-common/createcluster.d/talpa.conf');
    expect(readFileSync(cluster, 'utf8')).toMatch(/^create_main_cluster = false$/m);
  }, base);
  expect(filesIn(base)).toEqual([]);
});

it('brings back the machine’s own policy as it was, after a failure too', async () => {
  const base = withOwnPolicy();
  const failing = withoutServices(() => Promise.reject(new Error('apt failed')), base);
  await expect(failing).rejects.toThrow('apt failed');
  expect(readFileSync(policyIn(base), 'utf8')).toBe('#!/bin/sh\nexit 0\n');
  expect(statSync(policyIn(base)).mode & 0o777).toBe(0o751);
  expect(filesIn(base).filter((file) => file.includes('talpa'))).toEqual([]);
});

it('brings it back after an installation that was killed', async () => {
  for (const base of [withOwnPolicy(), newBase()]) {
    const hadPolicy = existsSync(policyIn(base));
    void withoutServices(() => new Promise(() => {}), base);
    await withoutServices(async () => {}, base);
    expect(existsSync(policyIn(base))).toBe(hadPolicy);
    if (hadPolicy) expect(readFileSync(policyIn(base), 'utf8')).toBe('#!/bin/sh\nexit 0\n');
  }
});
