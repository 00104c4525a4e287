import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { descendantsOf } from '@talpa/instance/child';
import { root } from '@talpa/instance/paths';
import { temporaryHome } from '@talpa/test-kit/home';
import { until } from '@talpa/test-kit/wait';
import { afterAll, expect, it } from 'vitest';

const images = join(root, 'deploy/images');
const mayMakeContainers = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
const folder = temporaryHome();
const answers = join(folder, 'answers');
let container: ChildProcess | undefined;
afterAll(() => {
  container?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process below an init with Docker's name, which ends with it, in a PID namespace of its own. */
async function startContainer() {
  symlinkSync('/bin/bash', join(folder, 'docker-init'));
  const init = [join(folder, 'docker-init'), '-c', 'sleep 1000 & wait $!; exit 137'];
  const started = spawn('unshare', ['--pid', '--fork', '--mount-proc', '--kill-child', ...init], {
    stdio: 'ignore',
  });
  container = started;
  const [first] = await until('its processes', () => {
    const found = descendantsOf(started.pid ?? 0);
    return found.length === 2 && found;
  });
  return { started, first: String(first) };
}

it.skipIf(!mayMakeContainers)(
  'a container that responded and is silent for four checks in a row ends, for its restart policy to start it again',
  async () => {
    const { started, first } = await startContainer();
    const state = `KILL_SILENT_STATE=${join(folder, 'state')}`;
    const inside = ['-t', first, '--pid', '--mount', '--', 'env', state, join(images, 'kill-silent')];
    const checks = (count: number) =>
      Array.from({ length: count }, () => spawnSync('nsenter', [...inside, 'test', '-e', answers]).status);
    const response = () => {
      writeFileSync(answers, '');
      const said = checks(1);
      rmSync(answers);
      return said;
    };
    // One that never responded is still starting.
    expect(checks(6)).toEqual([1, 1, 1, 1, 1, 1]);
    expect([response(), checks(3), response(), checks(3)]).toEqual([[0], [1, 1, 1], [0], [1, 1, 1]]);
    expect(started.exitCode).toBeNull();
    const ended = once(started, 'exit');
    checks(1);
    expect(await ended).toEqual([137, null]);
  },
);

it('a process that takes connections and says nothing is not healthy, and nobody waits for it', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = String(typeof address === 'object' && address ? address.port : 0);
  const check = spawn(join(images, 'healthy'), [port, '/livez'], { stdio: 'ignore' });
  expect(await once(check, 'exit')).toEqual([1, null]);
  silent.close();
});
