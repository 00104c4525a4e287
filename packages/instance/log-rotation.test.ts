import { closeSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rotateNow } from './log-rotation.ts';

it('keeps a log small while its process goes on writing to the open file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'talpa-log-')), 'auth.log');
  const open = openSync(path, 'a');
  writeSync(open, 'a long line\n');
  rotateNow(path, 5);
  writeSync(open, 'next\n');
  rotateNow(path, 5);
  expect(readFileSync(path, 'utf8')).toBe('next\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('a long line\n');
  closeSync(open);
});

it('never fails because of a log', () => {
  const missing = join(mkdtempSync(join(tmpdir(), 'talpa-log-')), 'missing.log');
  expect(() => rotateNow(missing, 5)).not.toThrow();
});
