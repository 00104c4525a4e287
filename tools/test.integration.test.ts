import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from '@talpa/instance/child';
import { launch } from '@talpa/test-kit/command';
import { temporaryHome } from '@talpa/test-kit/home';
import { until } from '@talpa/test-kit/wait';
import { expect, it } from 'vitest';

/** `npm test -- <filter>` with a folder of its own for temporary files. */
function test(filter: string, env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryHome();
  return { folder, command: launch('test', { TMPDIR: folder, TALPA_TEST_LONG: '', ...env }, [filter]) };
}

const lastLine = (output: string) => output.trimEnd().split('\n').at(-1);

it('closes with the totals and the right exit code', async () => {
  const good = test('packages/instance/log-rotation.test.ts');
  expect(await good.command.ended).toBe(0);
  expect(lastLine(good.command.output())).toBe('2 passed, 0 failed');
  expect(good.command.output()).not.toContain('how long each part took');
  const nothing = test('no-such-test');
  expect(await nothing.command.ended).toBe(1);
});

it('says at the end of a long run how long each part took', async () => {
  const { command } = test('packages/instance/log-rotation.test.ts', { TALPA_TEST_LONG: '1' });
  expect(await command.ended).toBe(0);
  expect(command.output()).toMatch(/^how long each part took:\n +\d+ s {2}all of unit$/m);
  expect(lastLine(command.output())).toBe('2 passed, 0 failed');
});

it('leaves no process and no file when it is interrupted', async () => {
  const { folder, command } = test('launcher/stores');
  const stored = await until('running stores', () => {
    const files = globSync('*/*/pids/{postgres,nats,redis}.json', { cwd: folder });
    return files.length === 3 && files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  });
  command.kill('SIGTERM');
  expect(await command.ended).toBe(1);
  expect(lastLine(command.output())).toMatch(/^\d+ passed, \d+ failed(, \d+ skipped)?$/);
  expect(stored.filter(({ pid, startTime }) => startTimeOf(pid) === startTime)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
