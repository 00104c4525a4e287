// What every command begins with. It knows nothing but Node 20: it installs the npm packages where they are
// missing and names the pinned Node, which runs our TypeScript as it is.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from '../packages/instance/lock.mjs';
import { portSettingsOf, takenPort } from '../packages/instance/ports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodePackage = `node-linux-${process.arch}`;
const folderOf = {
  start: 'launcher',
  talpa: 'operator',
  dev: 'tools',
  test: 'tools',
  build: 'launcher',
  verify: 'tools',
  load: 'tools',
  screenshots: 'tools',
  bench: 'bench',
  mutate: 'tools',
};
const [command, ...rest] = process.argv.slice(2);
/** They are installed without what tests and checks need besides. */
const lean = ['start', 'talpa', 'build'];
/** Every process keeps its compiled code: a second start takes a third less time. */
const own = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(root, 'node_modules', '.cache', 'node'),
  // The installation is part of what a start takes.
  TALPA_BEGAN: String(Date.now()),
};
/** The command takes the place of `launcher/run`; a service of an earlier version has us run it instead. */
const isReplaced = process.env.TALPA_BECOMES === '1';
const parent = process.ppid;

/** Ends with one line instead of a stack. */
function fail(line) {
  console.error(`✗ ${line}`);
  process.exit(1);
}

/**
 * Runs a program, passes signals on to it, and ends only after it: nothing is left behind. Ctrl-C in a
 * terminal reaches it twice, by itself and through us; our commands take that as one.
 * @returns its exit code, and what it said where that is piped
 */
function runToEnd(file, args, stdio) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio, env: { ...process.env, ...own } });
    let said = '';
    child.stderr?.on('data', (data) => {
      said += data;
    });
    const passOn = () => child.kill('SIGTERM');
    // Tests start us with a channel, which closes when they end.
    const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'];
    for (const event of events) process.on(event, passOn);
    // A signal may reach the shell alone, and does not wait for us.
    const watch = setInterval(() => isReplaced && process.ppid !== parent && passOn(), 200);
    child.once('error', (error) => fail(`${file} cannot be run (${error.code}).`));
    child.once('close', (code, signal) => {
      for (const event of events) process.off(event, passOn);
      clearInterval(watch);
      resolve({ code: code ?? (signal ? 1 : 0), said });
    });
  });
}

/** Brings node_modules to what the lock file says, when it has changed since; alone among all commands here. */
async function installPackages() {
  const marker = join(root, 'node_modules', '.talpa-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const extents = lean.includes(command) ? ['all', 'lean'] : ['all'];
  const installed = () => (existsSync(marker) ? readFileSync(marker, 'utf8').split(' ') : []);
  const isInstalled = () => installed()[0] === wanted && extents.includes(installed()[1]);
  if (isInstalled()) return;
  // Where all is installed the command itself looks, and knows more: that this very Talpa runs already, say.
  const taken = command === 'start' ? await takenPort(portSettingsOf(process.env)) : null;
  if (taken) fail(taken);
  const unlock = await holdLock(join(root, '.talpa-install.lock'), () =>
    console.error('… waiting for another command that installs npm packages here'),
  );
  if (!isInstalled()) {
    try {
      accessSync(root, constants.W_OK);
    } catch {
      fail(`${root} cannot be written to, so its npm packages cannot be installed.`);
    }
    console.error('… installing npm packages');
    // `npm ci` takes away what a Talpa that runs from this folder still needs: only where nothing is installed yet.
    const verb = existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci'];
    const extent = existsSync(marker) && installed()[1] !== 'lean' ? 'all' : extents.at(-1);
    const how = [...verb, extent === 'all' ? '--include=dev' : '--omit=dev', '--include=optional'];
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const { code, said } = await runToEnd('npm', [...how, ...quiet], ['ignore', 'ignore', 'pipe']);
    // Its reasons come first, then pages of usage.
    const reasons = said.split('\n').filter((line) => /^npm error \S/.test(line));
    if (code !== 0) fail(`npm ${how.join(' ')} failed:\n${reasons.slice(0, 6).join('\n')}`);
    leaveOut(join(root, 'node_modules'), extent);
    writeFileSync(marker, `${wanted} ${extent}`);
  }
  unlock();
}

/**
 * Removes what nothing here reads: headers for compilers of add-ons, and maps of packages' sources; from a lean installation
 * also the compiler of TypeScript, which npm keeps for i18next's types.
 */
function leaveOut(modules, extent) {
  const unread = [join(nodePackage, 'include'), ...(extent === 'lean' ? ['typescript', '@typescript'] : [])];
  for (const folder of unread) rmSync(join(modules, folder), { recursive: true, force: true });
  // Those of @talpa are links to our own folders.
  for (const file of readdirSync(modules, { recursive: true }))
    if (/\.(?:[cm]?[jt]s|css)\.map$/.test(file) && !file.startsWith('@talpa'))
      rmSync(join(modules, file), { force: true });
}

/** The Node the project is written for, installed by npm for this machine. */
function pinnedNode() {
  const pins = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies;
  const wanted = pins[nodePackage];
  const binary = join(root, 'node_modules', nodePackage, 'bin', 'node');
  if (wanted && existsSync(binary)) {
    const version = spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim();
    if (version === `v${wanted}`) return binary;
  }
  // Ours is not installed where npm was to leave out optional packages, or for another machine. What is older was not tested.
  const pinned = Object.values(pins)[0];
  if (process.versions.node.localeCompare(pinned, 'en', { numeric: true }) >= 0) return process.execPath;
  return fail(
    `Node ${pinned} is not installed for ${process.platform}-${process.arch}: run this command with that Node or a newer one.`,
  );
}

if (!Object.hasOwn(folderOf, command)) fail(`Unknown command. One of: ${Object.keys(folderOf).join(', ')}`);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node 20 or newer is needed, this is ${process.version}.`);
await installPackages();
const program = join(root, folderOf[command], `${command}.ts`);
// The launcher is there for as long as the panel, and does next to nothing.
const flags = command === 'start' ? ['--max-semi-space-size=1', '--expose-gc'] : [];
const [node, ...args] = [pinnedNode(), ...flags, program];
if (isReplaced) {
  const settings = Object.entries(own).map(([name, value]) => `${name}=${value}`);
  const words = [...settings, node, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  console.log(`exec env ${words.join(' ')} "$@"`);
} else {
  // The channel closes when this process ends, by whatever signal.
  const { code } = await runToEnd(node, [...args, ...rest], ['inherit', 'inherit', 'inherit', 'ipc']);
  process.exit(code);
}
