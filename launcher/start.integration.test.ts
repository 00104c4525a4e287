import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startTimeOf } from '@talpa/instance/child';
import { startedNames } from '@talpa/instance/ports.mjs';
import { setInstallationId } from '@talpa/instance/secrets';
import { Client } from '@talpa/test-kit/client';
import { type Command, launch } from '@talpa/test-kit/command';
import { temporaryHome } from '@talpa/test-kit/home';
import { freePort } from '@talpa/test-kit/ports';
import { useStores } from '@talpa/test-kit/stores';
import { anyPorts } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterEach, describe, expect, it } from 'vitest';

const commands: Command[] = [];
afterEach(async () => {
  for (const command of commands.splice(0)) {
    command.kill('SIGTERM');
    await command.ended;
  }
});

/** `npm start` with a panel of empty pages: the builds have tests of their own. */
async function start(home: string, env: NodeJS.ProcessEnv = {}): Promise<Command> {
  const panel = join(home, '..', `${home.split('/').at(-1)}-panel`);
  mkdirSync(panel, { recursive: true });
  writeFileSync(join(panel, 'index.html'), '<!doctype html><html><head></head><body></body></html>');
  const pages = { PANEL_SHELL: panel, PANEL_USER: panel, PANEL_ADMIN: panel };
  const PORT = String(await freePort());
  const command = launch('start', {
    ...pages,
    TALPA_HOME: home,
    PORT,
    TALPA_ADMIN_PASSWORD: '',
    ...anyPorts,
    ...env,
  });
  commands.push(command);
  return command;
}

const running = async (command: Command) => (await command.prints(/Panel {5}(\S+)/))[1] ?? '';

/** Every process that the home stores as its own, with its start time. */
function processesOf(home: string): { pid: number; startTime: string }[] {
  const files = readdirSync(join(home, 'pids')).filter((file) => file.endsWith('.json'));
  return files.map((file) => JSON.parse(readFileSync(join(home, 'pids', file), 'utf8')));
}
const alive = (processes: ReturnType<typeof processesOf>) =>
  processes.filter(({ pid, startTime }) => startTimeOf(pid) === startTime);

/** Expects exit code 1 and one line that says what is wrong. */
async function refused(command: Command, line: RegExp) {
  expect(await command.ended).toBe(1);
  const last = command.output().trimEnd().split('\n').at(-1) ?? '';
  expect(last).toMatch(line);
  expect(command.output()).not.toMatch(/^\s+at /m);
}

describe('npm start', () => {
  const stores = useStores();

  it('shows the address and the password once, leaves no process, and finds everything at the next start', async () => {
    const home = temporaryHome();
    const first = await start(home);
    const url = await running(first);
    const [, password = ''] = await first.prints(/admin \/ (\S+)/);
    const client = new Client(url);
    await client.call('POST /api/login', { username: 'admin', password });
    const processes = processesOf(home);
    expect(alive(processes)).toHaveLength(
      [...startedNames(anyPorts), 'postgres', 'nats', 'redis', 'launcher'].length,
    );
    await refused(await start(home), /^✗ Talpa is already running on \S+ \(process \d+\)/);

    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.output().trimEnd().split('\n').at(-1)).toBe('Everything is stopped.');
    expect(alive(processes)).toEqual([]);

    const second = await start(home);
    const again = new Client(await running(second));
    again.cookie = client.cookie;
    expect(await again.call('GET /api/user', {})).toMatchObject({ username: 'admin' });
    expect(second.output()).not.toContain(password);
    expect(second.output()).not.toContain('migrations');
  });

  it('uses what it is given, warns of cookies from subdomains and of the demo of payment, and prints no secret', async () => {
    const { adminUrl, natsUrl, redisUrl } = stores.stores;
    const home = temporaryHome();
    const command = await start(home, {
      DATABASE_URL: adminUrl,
      NATS_URL: natsUrl('operator'),
      REDIS_URL: redisUrl('gateway'),
      TALPA_ADMIN_PASSWORD: 'tief-unten',
      PUBLIC_URL: 'http://panel.talpa.example',
      TUNNEL_DOMAIN: 'tunnel.talpa.example',
    });
    const client = new Client(await running(command));
    expect(command.output()).toMatch(/Payment +is a demo: any customer can take every plan for nothing\./);
    expect(command.output()).toMatch(/Warning +PUBLIC_URL uses http, .* share the domain talpa\.example/);
    const credentials = { username: 'admin', password: 'tief-unten' };
    const from = { origin: 'http://panel.talpa.example' };
    expect((await client.send('POST', '/api/login', credentials, from)).status).toBe(200);
    expect(alive(processesOf(home))).toHaveLength([...startedNames(anyPorts), 'launcher'].length);
    for (const secret of ['tief-unten', new URL(adminUrl).password, new URL(natsUrl('operator')).password])
      expect(command.output()).not.toContain(secret);
  });

  it('can be stopped while it starts', async () => {
    const home = temporaryHome();
    const command = await start(home);
    await command.prints(/setting up the database/);
    const processes = processesOf(home);
    command.kill('SIGINT');
    expect(await command.ended).toBe(0);
    expect(command.output()).not.toContain('Talpa is running');
    expect(command.output().trimEnd().split('\n').at(-1)).toBe('Everything is stopped.');
    expect(alive(processes)).toEqual([]);
  });

  it('starts on what a killed start left, whose services have ended by themselves', async () => {
    const home = temporaryHome();
    const first = await start(home);
    await running(first);
    first.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    await until('the end of the services', () => alive(processesOf(home)).length === 3);

    const second = await start(home);
    await running(second);
    expect(second.output()).toMatch(/stopping what an earlier start left running: nats, postgres, redis/);
  });
});

describe('npm start says in one line, without a stack, that', () => {
  it('the port is taken', async () => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    const command = await start(temporaryHome(), { PORT: String(port) });
    await refused(
      command,
      new RegExp(`^✗ Port ${port} is already in use\\. Choose another: PORT=${port + 1} npm start$`),
    );
    other.close();
  });

  it.each([
    ['EDGE_HTTP_PORT', {}],
    ['TUNNEL_PUBLIC_PORT', { EDGE_HTTP_PORT: '' }],
    ['EDGE_HTTPS_PORT', {}],
    ['EDGE_CONNECTOR_PORT', {}],
    ['EDGE_PEER_PORT', { EDGE_PEER_SECRET: 'x'.repeat(32) }],
  ])('the port in %s is taken, before it builds, installs or starts anything', async (setting, more) => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    const home = temporaryHome();
    const command = await start(home, { ...more, [setting]: String(port) });
    await refused(
      command,
      new RegExp(`^✗ Port ${port} is already in use\\. Choose another: ${setting}=${port + 1} npm start$`),
    );
    expect(command.output().trim().split('\n')).toHaveLength(1);
    expect(readdirSync(join(home, 'pids')).filter((file) => file.endsWith('.json'))).toEqual([]);
    other.close();
  });

  it('two settings ask for the same port', async () => {
    const EDGE_CONNECTOR_PORT = String(await freePort());
    const command = await start(temporaryHome(), { PORT: EDGE_CONNECTOR_PORT, EDGE_CONNECTOR_PORT });
    await refused(
      command,
      /^✗ PORT and EDGE_CONNECTOR_PORT ask for the same port \d+\. Change one of them\.$/,
    );
  });

  it('a server on this machine has a port that game ports would get', async () => {
    const command = await start(temporaryHome(), {
      ...{ DATABASE_URL: 'postgres://u:secret@localhost/db', EDGE_TCP_PORTS: '5400-5499' },
      EDGE_TCP_HOST: '127.0.0.2',
    });
    await refused(
      command,
      /^✗ DATABASE_URL leads to port 5432 of this machine, which is one of EDGE_TCP_PORTS\. Change one of them\.$/,
    );
    expect(command.output()).not.toContain('secret');
  });

  it('browsers would send the panel’s cookies to game ports', async () => {
    const open = await start(temporaryHome(), { EDGE_TCP_PORTS: '25000-25099' });
    await refused(open, /^✗ EDGE_TCP_PORTS needs PUBLIC_URL with https: /);
    const changes = { EDGE_TCP_HOST: '127.0.0.2', EDGE_TCP_NAME: 'alice.tunnel.localhost' };
    const named = await start(temporaryHome(), { EDGE_TCP_PORTS: '25000-25099', ...changes });
    await refused(
      named,
      /^✗ EDGE_TCP_NAME is alice\.tunnel\.localhost, a host of the panel or of subdomains: /,
    );
  });

  it('a port for metrics is taken, or their host is none', async () => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((done) => other.listen(port, '127.0.0.1', done));
    const taken = await start(temporaryHome(), { METRICS_PORT: String(port) });
    await refused(taken, new RegExp(`^✗ Port ${port} is already in use\\. Choose another: METRICS_PORT=`));
    other.close();
    const nowhere = await start(temporaryHome(), { METRICS_PORT: '9100', METRICS_HOST: 'no.invalid' });
    await refused(
      nowhere,
      /^✗ Cannot listen on no\.invalid:9100 \(\w+\)\. Check METRICS_HOST and METRICS_PORT\.$/,
    );
  });

  it('the folder cannot be written to', async () => {
    const file = join(temporaryHome(), 'file');
    writeFileSync(file, '');
    const command = await start(temporaryHome(), { TALPA_HOME: join(file, 'home') });
    await refused(command, /^✗ \S+ cannot be written to \(ENOTDIR\)\. Choose another with TALPA_HOME=…$/);
  });

  it('INSTALLATION_ID is not the name that the installation has', async () => {
    const home = temporaryHome();
    setInstallationId(join(home, 'secrets'), 'maulwurf');
    const command = await start(home, { INSTALLATION_ID: 'wuehlmaus' });
    await refused(command, /^✗ INSTALLATION_ID is “wuehlmaus”, but this installation is “maulwurf” \(/);
  });

  it.each([
    ['PORT', 'http', /^✗ PORT must be a number/],
    ['TUNNEL_DOMAIN', 'Maulwurf', /^✗ TUNNEL_DOMAIN must be a lowercase domain name/],
    ['TUNNEL_PROVIDER', 'spade', /^✗ Settings are missing or wrong: TUNNEL_PROVIDER: \S/],
    ['LOG_LEVEL', 'loud', /^✗ Settings are missing or wrong: LOG_LEVEL: \S/],
    ['TRUST_PROXY', 'everyone', /^✗ Settings are missing or wrong: TRUST_PROXY: neither a hop count nor/],
    [
      'SUPPORT_URL',
      'javascript:alert(1)',
      /^✗ Settings are missing or wrong: SUPPORT_URL: not an http or https/,
    ],
    ['SETTINGS_FOLDER', '/nowhere', /^✗ SETTINGS_FOLDER: \/nowhere cannot be read \(ENOENT\)$/],
    ['DATABASE_URL', 'postgres://nobody@127.0.0.1:1/x', /^✗ The server in DATABASE_URL cannot be used: /],
    ['NATS_URL', 'nats://127.0.0.1:1', /^✗ The server in NATS_URL cannot be used: /],
    ['TALPA_ADMIN_PASSWORD', 'short', /^✗ TALPA_ADMIN_PASSWORD must be 6 to 128 characters long\.$/],
  ])('%s is wrong', async (name, value, line) => {
    await refused(await start(temporaryHome(), { [name]: value }), line);
  });
});
