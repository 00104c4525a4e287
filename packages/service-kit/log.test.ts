import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { logOutput } from './log-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'talpa-log-'));
afterAll(() => rmSync(folder, { recursive: true }));
const logModule = new URL('./log.ts', import.meta.url).href;
/** Logs, and goes on for a while, so that an error that is reported later counts too. */
const script = `const { createLog } = await import('${logModule}');
  const log = createLog('test', 'info');
  for (let turn = 0; turn < 5; turn += 1) {
    log.info('a line');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.exit(7);`;
const node = ['--input-type=module', '-e', script];

it('a process lives on when its log cannot be written: the disk is full', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, node, { stdio: ['ignore', full, 'ignore'] });
  closeSync(full);
  expect(await once(child, 'exit')).toEqual([7, null]);
});

it('a process lives on when nobody reads its log any more', async () => {
  const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout?.destroy();
  expect(await once(child, 'exit')).toEqual([7, null]);
});

it('says how many lines were lost once it can, each line whole', () => {
  const file = join(folder, 'log');
  writeFileSync(file, '');
  // Opened for reading alone: each write fails.
  const closed = openSync(file, 'r');
  const output = logOutput('test', closed);
  for (const line of ['{"a":1}\n', '{"a":2}\n']) output.write(line);
  closeSync(closed);
  expect(openSync(file, 'a')).toBe(closed);
  for (const line of ['{"a":3}\n', '{"a":4}\n']) output.write(line);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ a: 3 }, { msg: '2 log lines before this could not be written' }, { a: 4 }]);
  closeSync(closed);
});

it('begins a new line after one that was written in part', () => {
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const read = () => {
    const bytes = Buffer.alloc(1_048_576);
    return bytes.subarray(0, readSync(fd, bytes)).toString();
  };
  const output = logOutput('test', fd);
  const long = `{"a":"${'x'.repeat(1_000_000)}"}\n`;
  output.write(long);
  const beginning = read();
  expect(beginning.length).toBeLessThan(long.length);
  expect(long.startsWith(beginning)).toBe(true);
  output.write('{"a":1}\n');
  const [rest, line, ...others] = read().split('\n');
  expect([rest, line, others.length]).toEqual(['', '{"a":1}', 2]);
  closeSync(fd);
});
