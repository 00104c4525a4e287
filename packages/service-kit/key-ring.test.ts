import { randomBytes } from 'node:crypto';
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openKeyRing } from './key-ring.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;

it('a ring in a file takes up a new key at once, and keeps what it has while the file is unreadable', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'talpa-ring-')), 'keys');
  const replace = (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const old = key('old');
  replace(`${old}\n`);
  const ring = openKeyRing(path);
  expect(ring.current.id).toBe('old');
  replace(`${key('new')},${old}`);
  expect(ring.byId('new')).toBeDefined();
  expect(ring.current.id).toBe('new');
  replace('nonsense');
  expect(ring.current.id).toBe('new');
  expect(ring.byId('old')).toBeDefined();
});

it('no ring is opened from what holds none', () => {
  expect(() => openKeyRing('/nowhere/keys')).toThrow('/nowhere/keys is damaged or cannot be read (ENOENT');
  expect(() => openKeyRing('k1:too-short')).toThrow('kid:base64url');
});
