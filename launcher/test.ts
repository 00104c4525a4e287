import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildPanel } from './build.ts';
import { root } from './paths.ts';
import { runCommand } from './say.ts';
import { ensurePrograms } from './system-packages.ts';

/** `npm test [-- vitest's arguments]`: installs what the tests need and runs them all. */
await runCommand(async () => {
  const say = (line: string) => console.log(`… ${line}`);
  ensurePrograms(['postgres', 'nats-server', 'redis-server', 'chromium'], say);
  await buildPanel(say);
  const vitest = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
    { cwd: root, stdio: 'inherit' },
  );
  // Vitest stops its tests itself; the signal of a terminal has reached it already.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => vitest.kill('SIGTERM'));
  process.on('disconnect', () => vitest.kill('SIGTERM'));
  const [code] = await once(vitest, 'exit');
  process.exit(code ?? 1);
});
