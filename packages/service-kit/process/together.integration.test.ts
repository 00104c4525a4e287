import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@talpa/test-kit/ports';
import { expect, it, onTestFinished } from 'vitest';
import { stopMs } from './stopping.ts';

interface Ready {
  readonly ready: true;
  readonly ports: Readonly<Record<string, number>>;
  readonly stopMs: number;
}
interface Line {
  readonly name: string;
  readonly msg: string;
}

/**
 * A process with the members `low` in the first row and `left` and `right` in the second.
 * @param script what each does when it starts, beside registering two steps of its stop
 */
function run(script: string, env: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-together-'));
  const file = join(folder, 'main.mjs');
  const kit = new URL('..', import.meta.url).href;
  writeFileSync(
    file,
    `const { shareProcess } = await import('${kit}shared-process.ts');
    shareProcess();
    const { runTogether } = await import('${kit}process/lifecycle.ts');
    const { counter, gauge, readOnScrape } = await import('${kit}telemetry/metrics.ts');
    const calls = counter('talpa_test_calls_total', 'Calls', ['kind']);
    const size = gauge('talpa_test_size', 'Size');
    const places = { low: 1, left: 2, right: 3 };
    const member = (name) => ({
      name,
      start: async (lifecycle) => {
        lifecycle.log.info('starts');
        // What comes of it later is still the member's.
        await new Promise((resolve) => setTimeout(resolve, 5));
        for (const step of ['first', 'second']) lifecycle.onStop(step, () => lifecycle.log.info('undoes ' + step));
        ${script}
        return { port: places[name] };
      },
    });
    await runTogether('group', [[member('low')], [member('left'), member('right')]]);`,
  );
  const child = fork(file, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  const ended = once(child, 'close');
  return {
    messages,
    ready: async (): Promise<Ready> => {
      for (;;) {
        const found = messages.find((one): one is Ready => (one as Ready).ready);
        if (found) return found;
        await Promise.race([
          once(child, 'message'),
          ended.then(() => {
            throw new Error(output);
          }),
        ]);
      }
    },
    stop: () => child.kill('SIGTERM'),
    /** Its exit code, and what it has said. */
    end: async () => {
      const [code] = await ended;
      const lines = output
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
      return { code, said: lines.map(({ name, msg }) => `${name} ${msg}`) };
    },
  };
}
const undone = (name: string) => [`${name} undoes second`, `${name} undoes first`];

it('members start row by row and stop in reverse, each by its own steps in reverse', async () => {
  const running = run('');
  expect(await running.ready()).toEqual({
    ready: true,
    ports: { 'low/PORT': 1, 'left/PORT': 2, 'right/PORT': 3 },
    // One row after the other.
    stopMs: 2 * stopMs,
  });
  running.stop();
  const { code, said } = await running.end();
  expect(code).toBe(0);
  const of = (...names: string[]) => said.filter((line) => names.includes(line.split(' ')[0] ?? ''));
  for (const name of ['low', 'left', 'right'])
    expect(of(name)).toEqual([`${name} starts`, `${name} ready`, ...undone(name)]);
  expect(said.slice(0, 2)).toEqual(of('low').slice(0, 2));
  expect(said.slice(-3)).toEqual([...undone('low'), 'group stopped']);
});

it('a member that hangs while it stops holds up no other one for longer than it may take', async () => {
  const running = run(`
    // What would be waited for is over soon.
    const later = setTimeout;
    if (name === 'low') globalThis.setTimeout = (work, ms, ...rest) => later(work, ms >= ${stopMs} ? 50 : ms, ...rest);
    if (name === 'left') lifecycle.onStop('hang', () => new Promise(() => {}));`);
  await running.ready();
  running.stop();
  const { code, said } = await running.end();
  expect(code).toBe(1);
  for (const name of ['right', 'low']) expect(said).toEqual(expect.arrayContaining(undone(name)));
  expect(said).not.toContain(undone('left')[0]);
});

it.each([
  ['throws while it starts', `if (name === 'right') throw new Error('no');`, 'right could not start'],
  ['fails', `if (name === 'right') setTimeout(() => lifecycle.fail('it is over'), 20);`, 'right it is over'],
  [
    'throws where nobody catches it',
    `if (name === 'right') setTimeout(() => { throw new Error('no'); }, 20);`,
    'group uncaught exception',
  ],
])(
  'a member that %s ends the process as a fault, after the others have stopped in order',
  async (_how, script, line) => {
    const { code, said } = await run(script).end();
    expect(code).toBe(1);
    expect(said).toContain(line);
    for (const name of ['left', 'low']) expect(said).toEqual(expect.arrayContaining(undone(name)));
    expect(said.indexOf(undone('left')[0] ?? '')).toBeLessThan(said.indexOf(undone('low')[0] ?? ''));
  },
);

it('a member has its own settings and those of all, by variable or file, and never another one’s', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['low', 'left', 'right']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'NATS_URL'), `nats://of-${name}`);
  }
  writeFileSync(join(folder, 'left', 'REDIS_URL'), 'redis://of-left');
  const running = run(
    `const read = (setting) => {
      try { return lifecycle.settings([setting])[setting]; } catch { return null; }
    };
    process.send({ name, settings: ['NATS_URL', 'REDIS_URL', 'DATABASE_URL', 'TIME_ZONE'].map(read) });`,
    {
      SETTINGS_FOLDER: folder,
      TIME_ZONE: 'Europe/Vienna',
      'right/TIME_ZONE': 'Europe/Rome',
      'right/DATABASE_URL': 'postgres://of-right',
      'left/SETTINGS_FOLDER_OF_NOBODY': 'x',
    },
  );
  await running.ready();
  const sentBy = (name: string) =>
    running.messages.find((one) => (one as { name?: string }).name === name) as { settings: unknown[] };
  expect(sentBy('low').settings).toEqual(['nats://of-low', null, null, 'Europe/Vienna']);
  expect(sentBy('left').settings).toEqual(['nats://of-left', 'redis://of-left', null, 'Europe/Vienna']);
  expect(sentBy('right').settings).toEqual(['nats://of-right', null, 'postgres://of-right', 'Europe/Rome']);
});

it('figures and readiness of members stay apart, each figure below one heading', async () => {
  const running = run(
    `for (const kind of ['#1', 'two words']) calls.labels(kind).inc(places[name]);
    readOnScrape('size', [size], () => {
      if (name === 'right') throw new Error('the store is away');
      size.set(places[name]);
    });
    lifecycle.dependsOn('store', () => name !== 'right' || 'away');`,
    { METRICS_PORT: String(await freePort()) },
  );
  const { ports } = await running.ready();
  const base = `http://127.0.0.1:${ports.METRICS_PORT}`;
  const ready = await fetch(`${base}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    {
      ready: false,
      state: 'running',
      dependencies: [
        { name: 'low/store', works: true },
        { name: 'left/store', works: true },
        { name: 'right/store', works: false, reason: 'away' },
      ],
    },
  ]);
  const text = await (await fetch(`${base}/metrics`)).text();
  for (const [process, count] of Object.entries({ low: 1, left: 2, right: 3 }))
    for (const kind of ['#1', 'two words'])
      expect(text).toContain(`talpa_test_calls_total{kind="${kind}",process="${process}"} ${count}\n`);
  expect(text.match(/^talpa_test_size.*$/gm)).toEqual([
    'talpa_test_size{process="low"} 1',
    'talpa_test_size{process="left"} 2',
  ]);
  expect(text).toMatch(/^talpa_unread_total\{reader="size",process="left"\} 0$/m);
  expect(text).toMatch(/^talpa_unread_total\{reader="size",process="right"\} 1$/m);
  expect(text.match(/^talpa_ready\{.*$/gm)).toEqual([
    'talpa_ready{process="low"} 1',
    'talpa_ready{process="left"} 1',
    'talpa_ready{process="right"} 0',
  ]);
  // Node's own are the process's.
  expect(text).toMatch(/^process_resident_memory_bytes\{process="group"\} \d+$/m);
  const headings = text.match(/^# TYPE \S+/gm) ?? [];
  expect(new Set(headings).size).toBe(headings.length);
  for (const block of text.split(/^(?=# HELP )/m)) {
    const [, family = ''] = block.match(/^# TYPE (\S+)/m) ?? [];
    const names = [...block.matchAll(/^(\w+)[{ ]/gm)].map(([, name = '']) => name);
    expect(names.filter((name) => !name.startsWith(family))).toEqual([]);
  }
});
