import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RequestOf, Routes } from '@talpa/contracts';
import { type Client, newUser, proxyInput } from '@talpa/test-kit/client';
import { type ConnectorLink, connectLink, proxyTo } from '@talpa/test-kit/connector/connector';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What the script installs here says what it can see of others, and connects nothing: the test does, with the token's file. */
const connector = `#!/bin/sh
for process in /proc/[0-9]*; do cat "$process/cmdline" "$process/environ"; done >/tmp/seen 2>/dev/null
while :; do sleep 1; done
`;
const mirror = mkdtempSync(join(tmpdir(), 'mirror-'));
const program = join(mirror, `cloudflared-linux-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`);
writeFileSync(program, connector);
const system = useTalpa({ CONNECTOR_MIRROR: mirror }, { isPublic: true });

const origin = createServer((_request, response) => response.end('<title>Node-RED</title>'));
const second = createServer((_request, response) => response.end('<title>Node-RED</title>'));
const third = createServer((_request, response) => response.end('<title>Node-RED</title>'));
const origins = [origin, second, third];
const links: ConnectorLink[] = [];
let user: Client;
beforeAll(async () => {
  for (const one of origins) await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
  user = (await newUser(system.url, 'premium')).client;
});
afterAll(() => {
  for (const { socket } of links) socket.destroy();
  for (const one of origins) {
    one.closeAllConnections();
    one.close();
  }
});
const portOf = (one: Server) => (one.address() as AddressInfo).port;
const originPort = () => portOf(origin);
const newKey = (input: Omit<RequestOf<Routes['POST /api/enrolment-keys']>, 'name'> = {}, by = user) =>
  by.call('POST /api/enrolment-keys', { name: 'Befehl', ...input });

interface Kind {
  readonly shell: readonly string[];
  /** What is done to its programs. */
  readonly tools: readonly string[];
  /** What it says of a wrong key. */
  readonly refusal: string;
  /** The same of a plan's limit. */
  readonly limit: string;
}
const kinds: readonly (Kind & { readonly name: string })[] = [
  {
    name: 'dash and curl',
    ...{ shell: ['dash'], tools: [] },
    ...{ refusal: 'ungültig oder abgelaufen', limit: 'Ihr Proxy-Limit ist erreicht' },
  },
  {
    name: 'BusyBox alone',
    shell: ['busybox', 'sh'],
    tools: ['rm -f curl', 'ln -sf busybox wget'],
    // Its wget shows no response that is an error.
    ...{ refusal: 'HTTP 403', limit: 'HTTP 403' },
  },
];

/** A machine of its own: this one's files, and what is written there only. */
function newMachine({ shell, tools }: Kind) {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'));
  const [root, upper] = [join(folder, 'root'), join(folder, 'upper')];
  for (const one of [root, upper, join(folder, 'work')]) mkdirSync(one);
  const overlay = `lowerdir=/,upperdir=${upper},workdir=${join(folder, 'work')}`;
  const enter = [
    `mount -t overlay overlay -o ${overlay} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --bind /dev ${root}/dev`,
    `mkdir -p ${root}/tmp ${root}/run`,
    `mount -t tmpfs tmpfs ${root}/run`,
    ...tools.map((command) => `(cd ${root}/usr/bin && ${command})`),
  ].join(' && ');
  const inside = `chroot ${root} ${shell.join(' ')}`;
  return {
    file: (path: string) => join(upper, path),
    /**
     * Runs the panel's script with these lines after it; its processes end with it.
     * @param answers what somebody types; left out: there is no terminal, nobody is asked
     */
    run: async (lines: readonly string[], answers?: readonly string[], script?: string) => {
      const text = script ?? (await (await fetch(`${system.url}/install/de.sh`)).text());
      const input = join(folder, 'input');
      writeFileSync(input, `${text}${lines.join('\n')}\n`);
      const started = answers
        ? `script -qec '${inside} <${input}' /dev/null`
        : `exec setsid ${inside} <${input}`;
      const child = spawn(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', `${enter} && ${started}`],
        { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } },
      );
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
      child.stdin.on('error', () => {});
      for (const answer of answers ?? []) child.stdin.write(`${answer}\n`);
      const code = await new Promise<number | null>((done) => child.once('close', done));
      return { code, said };
    },
  };
}

/** Connects as the machine would, once it has been given a token. */
async function connectWith(tokenFile: string): Promise<void> {
  await until('a token', () => existsSync(tokenFile));
  const { edge } = system.talpa;
  if (!edge) throw new Error('there is no edge');
  const ca = readFileSync(edge.authorityFile, 'utf8');
  const token = readFileSync(tokenFile, 'utf8');
  const start = { port: edge.connectorPort, ca, token, onStream: proxyTo(originPort()) };
  const { link, response } = await connectLink(start);
  links.push(link);
  if ('cause' in response) throw new Error(`refused: ${response.cause}`);
}

it('the scripts are sound for any shell, and PowerShell’s quotation marks stay within its texts', async () => {
  for (const language of ['de', 'en']) {
    const script = await (await fetch(`${system.url}/install/${language}.sh`)).text();
    execFileSync('shellcheck', ['-s', 'sh', '-'], { input: script });
    for (const shell of [['dash'], ['busybox', 'sh']])
      execFileSync(shell[0] as string, [...shell.slice(1), '-n'], { input: script });
    const windows = await (await fetch(`${system.url}/install/${language}.ps1`)).text();
    const code = windows.split('\n').filter((line) => !line.trim().startsWith('#'));
    expect((code.join('').match(/['‘’‚‛]/g)?.length ?? 0) % 2).toBe(0);
    for (const text of [script, windows]) expect(text).not.toMatch(/@[\w.]+@/);
  }
});

const isRoot = process.getuid?.() === 0;
describe.skipIf(!isRoot).each(kinds)('on a machine with $name', (kind) => {
  it('one command makes a panel public, a second one repairs, and one removes it all', async () => {
    const machine = newMachine(kind);
    const { key } = await newKey();
    const enrol = `talpa_enrol ${key} ${originPort()}`;
    const running = machine.run([enrol, 'cat /tmp/seen', enrol, 'talpa_remove', 'ls /etc/talpa /opt/talpa']);
    await until('a proxy', async () => (await user.call('GET /api/tunnel-configs', {})).length > 0);
    const [proxy] = await user.call('GET /api/tunnel-configs', {});
    if (!proxy) throw new Error('there is no proxy');
    const token = machine.file(`etc/talpa/${proxy.serverId}/token`);
    await connectWith(token).catch(async (error) => {
      throw new Error(`${error} ${(await running).said}`);
    });
    const secret = readFileSync(token, 'utf8');
    const { code, said } = await running;
    expect(said).toContain(`http://${proxy.cfDomain}`);
    expect(said).toContain(`http://127.0.0.1:${originPort()}`);
    // Neither another process's arguments nor its environment has it.
    expect(said).toContain('TUNNEL_TOKEN_FILE');
    for (const hidden of [key, secret]) expect(said).not.toContain(hidden);
    // Who visits notices nothing of a second run.
    expect(said.match(/läuft unverändert weiter/g)).toHaveLength(1);
    // `ls` finds no program any more.
    expect(code).not.toBe(0);
    expect([existsSync(token), existsSync(machine.file('opt/talpa/cloudflared'))]).toEqual([false, false]);
    expect(said).toContain('/etc/talpa/machine');

    // With another key it is the same server again.
    const again = await machine.run([enrol.replace(key, (await newKey()).key)]);
    expect(again).toMatchObject({ code: 0, said: expect.stringContaining(proxy.cfDomain) });
    expect(statSync(token).mode & 0o777).toBe(0o640);
    // One that ends at once says why, and nothing is blamed on the firewall.
    const broken = '#!/bin/sh\necho "1 ERR kaputt"\n';
    const hash = createHash('sha256').update(broken).digest('hex');
    writeFileSync(program, broken);
    const begun = Date.now();
    const ended = await machine.run([`files='${basename(program)} ${hash}'`, enrol]);
    writeFileSync(program, connector);
    expect(ended, ended.said).toMatchObject({ code: 1, said: expect.stringContaining('kaputt') });
    expect(ended.said).toContain(`/var/log/talpa-connector-${proxy.serverId}.log`);
    expect(ended.said).not.toContain('Firewall');
    expect(Date.now() - begun).toBeLessThan(45_000);
    const third = await machine.run([enrol.replace(key, (await newKey({ proxyId: proxy.id })).key)]);
    expect(third.said).not.toContain(program);
    expect(await user.call('GET /api/tunnel-configs', {})).toHaveLength(1);
    await user.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
  });

  it('who runs it chooses of the panels that are found; run again it offers those that are not connected', async () => {
    const machine = newMachine(kind);
    const { key } = await newKey();
    const list = () => user.call('GET /api/tunnel-configs', {});
    const ports = origins.map(portOf);
    const panels = ports.map((port) => `own ${port} http Node-RED`).join('\n');
    const enrol = [`panels='${panels}'`, `talpa_enrol ${key}`];
    const running = machine.run(enrol, ['alle', '9', `1, ${ports[2]}`]);
    await until('a proxy', async () => (await list()).length > 0);
    const serverId = (await list())[0]?.serverId;
    await connectWith(machine.file(`etc/talpa/${serverId}/token`)).catch(async (error) => {
      throw new Error(`${error} ${(await running).said}`);
    });
    const first = await running;
    expect(first.code, first.said).toBe(0);
    expect(first.said.match(/keine Nummer aus der Liste/g)).toHaveLength(2);
    const connected = async () => (await list()).map(({ adminPort }) => adminPort).toSorted();
    const [one, two, three] = ports as [number, number, number];
    expect(await connected()).toEqual([one, three].toSorted());

    const offered = `1  own:${two}`;
    const none = await machine.run(enrol, ['0']);
    expect(none, none.said).toMatchObject({ code: 0, said: expect.stringContaining(offered) });
    const unasked = await machine.run(enrol);
    expect(unasked.said).toContain(offered);
    expect(unasked.said).toContain(`talpa_enrol SCHLÜSSEL ${two}`);
    expect(unasked.code).toBe(0);
    expect(await connected()).toHaveLength(2);

    const all = await machine.run([...enrol, `talpa_enrol ${key}`, `talpa_enrol ${key} 9 ${two}`], ['']);
    expect(all, all.said).toMatchObject({ code: 0, said: expect.stringContaining('Kein weiteres') });
    const proxies = await list();
    expect(await connected()).toEqual([...ports, 9].toSorted());
    for (const { cfDomain } of proxies) expect(first.said + all.said).toContain(`http://${cfDomain}`);
    expect(new Set(proxies.map((proxy) => proxy.serverId))).toEqual(new Set([serverId]));
    expect(readdirSync(machine.file('etc/talpa')).toSorted()).toEqual(
      [String(serverId), 'machine'].toSorted(),
    );
    for (const { id } of proxies) await user.call('DELETE /api/tunnel-configs/:id', { id });
  });

  it('names the panels that the plan leaves out', async () => {
    const machine = newMachine(kind);
    const { client } = await newUser(system.url, 'free');
    const { key } = await newKey({}, client);
    const list = () => client.call('GET /api/tunnel-configs', {});
    const running = machine.run([`talpa_enrol ${key} ${originPort()} 81 82`]);
    await until('a proxy', async () => (await list()).length > 0);
    await connectWith(machine.file(`etc/talpa/${(await list())[0]?.serverId}/token`));
    const { code, said } = await running;
    expect(code, said).toBe(1);
    expect(said).toContain(`http://${(await list())[0]?.cfDomain}`);
    for (const port of [81, 82]) expect(said).toContain(`own:${port} – ${kind.limit}`);
    expect(said).not.toContain(`own:${originPort()} –`);
  });

  it('a download that breaks off does nothing, one that was changed is refused, and so is a wrong key', async () => {
    const machine = newMachine(kind);
    const script = await (await fetch(`${system.url}/install/de.sh`)).text();
    const { key } = await newKey();
    for (const part of [0.2, 0.5, 0.9, 1])
      await machine.run([], undefined, script.slice(0, Math.floor(script.length * part)));
    expect(existsSync(machine.file('etc/talpa'))).toBe(false);
    writeFileSync(program, `${connector}# changed\n`);
    const changed = await machine.run([`talpa_enrol ${key} 80`]);
    writeFileSync(program, connector);
    expect(changed).toMatchObject({ code: 1, said: expect.stringContaining('SHA-256') });
    expect(existsSync(machine.file('opt/talpa/cloudflared'))).toBe(false);
    const wrong = await machine.run([`talpa_enrol talpa_ek_wrong 80`]);
    expect(wrong).toMatchObject({ code: 1, said: expect.stringContaining(kind.refusal) });
    // No panel, and nobody to ask.
    const { code, said } = await machine.run(["panels='own 1 http nothing'", `talpa_enrol ${key}`]);
    expect([code, said]).toEqual([1, expect.stringContaining('nicht gefunden')]);
    expect(await user.call('GET /api/tunnel-configs', {})).toEqual([]);
  });
});

it('each panel of a machine gets a proxy behind its connector, with whichever key of its user, and the machine counts once', async () => {
  const machine = randomBytes(32).toString('hex');
  const enrol = (key: string, more: object) =>
    user.call('POST /api/enrol', { key, machine, name: 'Rust Hauptserver', ...more });
  const { client: other } = await newUser(system.url, 'premium');
  const [{ key }, later] = [await newKey(), await newKey()];
  const others = await other.call('POST /api/enrolment-keys', { name: 'Befehl' });
  const first = await enrol(key, { panel: 'txAdmin' });
  const { serverId, token } = first;
  const all = await Promise.all([
    enrol(key, { panel: 'amp' }),
    enrol(later.key, { port: 3000 }),
    enrol(key, { port: 3000, address: '192.0.2.7' }),
  ]);
  for (const one of all) expect(one).toMatchObject({ serverId, token });
  const ofBoth = { name: 'Befehl', serverId, proxyId: first.proxyId };
  expect((await user.try('POST /api/enrolment-keys', ofBoth)).status).toBe(400);
  for (const unique of ['proxyId', 'url', 'target'] as const)
    expect(new Set([first, ...all].map((one) => one[unique])).size).toBe(4);
  const takenPorts = [3000, 8080, 40_120];
  expect(await enrol(later.key, { panel: 'amp' })).toEqual({ ...all[0], takenPorts });
  expect(await enrol(later.key, {})).toEqual({ ...first, takenPorts });
  expect(await user.call('GET /api/tunnel-configs/:id', { id: all[0].proxyId ?? 0 })).toMatchObject({
    ...{ serverName: 'Rust Hauptserver AMP', serverId, panel: 'amp' },
  });
  const used = (await user.call('GET /api/enrolment-keys', {})).filter(({ id }) =>
    [later.enrolmentKey.id, later.enrolmentKey.id - 1].includes(id),
  );
  expect(used.map((one) => `${one.used}/${one.uses}`)).toEqual(['1/1', '1/1']);
  // Somebody else who has copied what the machine made up gets a machine of their own.
  expect((await enrol(others.key, { panel: 'txAdmin' })).serverId).not.toBe(serverId);
  for (const { proxyId } of [first, ...all])
    if (proxyId !== null) await user.call('DELETE /api/tunnel-configs/:id', { id: proxyId });
});

it.skipIf(!isRoot)(
  'the command of a server that has no proxy makes the machine this server, and its panels are behind it',
  async () => {
    const { client } = await newUser(system.url, 'premium');
    const { id: serverId } = await client.call('POST /api/servers', { name: 'Leer' });
    const machine = newMachine(kinds[0] as Kind);
    const [{ key }, general] = [await newKey({ serverId }, client), await newKey({}, client)];
    const panels = `panels='own ${originPort()} http Node-RED'`;
    const running = machine.run([panels, `talpa_enrol ${key}`, `talpa_enrol ${general.key} 9`]);
    await connectWith(machine.file(`etc/talpa/${serverId}/token`)).catch(async (error) => {
      throw new Error(`${error} ${(await running).said}`);
    });
    const { code, said } = await running;
    expect(code, said).toBe(0);
    const proxies = await client.call('GET /api/tunnel-configs', {});
    expect(proxies.map((one) => [one.serverId, one.adminPort])).toEqual(
      expect.arrayContaining([originPort(), 9].map((port) => [serverId, port])),
    );
    for (const { cfDomain } of proxies) expect(said).toContain(`http://${cfDomain}`);
    expect(await client.call('GET /api/servers', {})).toHaveLength(1);
  },
);

it('the egg asks the shell itself to hand over the key, and reads the script of this panel', async () => {
  const egg = (await (await fetch(`${system.url}/install/egg.json`)).json()) as {
    meta: object;
    scripts: { installation: { script: string } };
    variables: { env_variable: string }[];
  };
  expect(egg.meta).toEqual({ version: 'PTDL_v2', update_url: `${system.url}/install/egg.json` });
  execFileSync('shellcheck', ['-s', 'sh', '-'], { input: egg.scripts.installation.script });
  const { proxy } = await user.call('POST /api/tunnel-configs', proxyInput());
  expect(egg.variables.map((one) => one.env_variable)).toEqual([
    'TALPA_KEY',
    'TALPA_ADDRESS',
    'TALPA_PORT',
    'TALPA_NAME',
  ]);
  await user.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
});
