// The first process of every command. It knows nothing but Node 20: it installs the npm packages where
// they are missing and hands over to the pinned Node, which runs our TypeScript as it is.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const commands = ['start', 'test', 'build', 'verify'];
const [command, ...rest] = process.argv.slice(2);

/** Ends with one line instead of a stack. */
function fail(line) {
  console.error(`✗ ${line}`);
  process.exit(1);
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs `work` alone among all commands in this folder; a lock left by a dead process does not count. */
async function alone(work) {
  const path = join(root, '.talpa-install.lock');
  for (;;) {
    try {
      const file = openSync(path, 'wx');
      writeSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`${root} cannot be written to (${error.code}).`);
      const holder = Number(existsSync(path) ? readFileSync(path, 'utf8') : 0);
      const old = existsSync(path) && Date.now() - statSync(path).mtimeMs > 5_000;
      if (holder ? !isAlive(holder) : old) rmSync(path, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Installs the npm packages when the lock file has changed since they were installed. */
async function installPackages() {
  const marker = join(root, 'node_modules', '.talpa-installed');
  const wanted = lockHash();
  const installed = () => existsSync(marker) && readFileSync(marker, 'utf8') === wanted;
  if (installed()) return;
  await alone(() => {
    if (installed()) return;
    console.log('… installing npm packages');
    const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    if (result.status !== 0)
      fail(`npm ci failed. What it said:\n${(result.stderr || result.error?.message || '').trim()}`);
    writeFileSync(marker, wanted);
  });
}

/** The Node the project is written for, installed by npm for this machine. */
function pinnedNode() {
  const name = `node-linux-${process.arch}`;
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies[name];
  const binary = join(root, 'node_modules', name, 'bin', 'node');
  if (wanted && existsSync(binary)) {
    const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim();
    if (version === `v${wanted}`) return binary;
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  return fail(
    `No Node 24 for ${process.platform}-${process.arch}: install Node 24 and run this command with it.`,
  );
}

if (!commands.includes(command)) fail(`Unknown command. One of: ${commands.join(', ')}`);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node 20 or newer is needed, this is ${process.version}.`);
await installPackages();

const child = spawn(pinnedNode(), [join(root, 'launcher', `${command}.ts`), ...rest], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// Ctrl-C reaches the whole process group, so the child has it already; SIGTERM reaches us alone.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGHUP', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
