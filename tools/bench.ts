import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CliError, runCommand } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { ensurePrograms } from '@talpa/instance/system-packages';
import { buildPanel } from '../launcher/build.ts';

/** `npm run bench [-- gateway|lists|streams|edge|connectors]`: installs what is measured beside us, and measures. */
await runCommand(async () => {
  const folder = join(root, 'bench');
  const log = (line: string) => console.log(`… ${line}`);
  await ensurePrograms(['postgres', 'nats-server', 'redis-server'], log);
  await buildPanel(log);
  log('installing the frameworks to compare with');
  await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  await run(process.execPath, [join(folder, 'run.ts'), ...process.argv.slice(2)], root);
  process.exit(0);
});

/** @throws CliError when it fails */
async function run(file: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(file, args, { cwd, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new CliError(`${file} ${args[0]} failed.`);
}
