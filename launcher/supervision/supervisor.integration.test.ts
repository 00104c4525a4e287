import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logPath, startTimeOf, storedProcess } from '@talpa/instance/child';
import type { Running } from '@talpa/instance/part';
import { homeFolders } from '@talpa/instance/paths';
import { temporaryHome } from '@talpa/test-kit/home';
import { until } from '@talpa/test-kit/wait';
import { afterAll, expect, it, vi } from 'vitest';
import { readyMessage } from '../processes/processes.ts';
import type { StartLimits } from './ready.ts';
import { supervise } from './supervisor.ts';

const folders = homeFolders(temporaryHome());
for (const folder of [folders.logs, folders.pids]) mkdirSync(folder);
const started: Running<unknown>[] = [];
afterAll(() => Promise.all(started.map((part) => part.stop())));

type Answers = (facts: unknown, child: ChildProcess, signal: AbortSignal) => Promise<unknown>;

/** A process that listens and says so; `more` is what else it does. */
const server = (more = '') => `
  const { createServer } = await import('node:net');
  const server = createServer().listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
    process.send({ ready: true, port: server.address().port }));
  process.on('disconnect', () => process.exit());
  ${more}`;

async function run(
  name: string,
  script: string,
  said: string[] = [],
  probe?: Answers,
  {
    readyMs,
    idleMs,
    ...more
  }: { recovers?: boolean; signal?: AbortSignal; stopMs?: () => number } & Partial<StartLimits> = {},
  pause?: (ms: number) => Promise<unknown>,
) {
  const part = await supervise(
    {
      name,
      ...(probe ? { probe } : {}),
      ...more,
      command: (earlier: { port: number | null } | null) => ({
        name,
        file: process.execPath,
        args: ['--input-type=module', '-e', script],
        env: { ...process.env, ...(earlier?.port ? { PORT: String(earlier.port) } : {}) },
        channel: true,
      }),
      ready: readyMessage,
    },
    folders,
    (line) => said.push(line),
    { askMs: 200, asks: 3, ...(readyMs ? { readyMs } : {}), ...(idleMs ? { idleMs } : {}) },
    pause,
  );
  started.push(part);
  return part;
}

const runningPid = (part: Running<unknown>) => until('a running process', () => part.pid());

it('starts a process again that was killed, on its old port, and says so in one line each', async () => {
  const said: string[] = [];
  const part = await run('killed', server("console.log('port', process.env.PORT)"), said);
  const first = await runningPid(part);
  process.kill(first, 'SIGKILL');
  await until('the messages', () => said.length === 2);
  expect(said).toEqual([expect.stringMatching(/^killed stopped unexpectedly/), 'killed is working again']);
  expect(part.pid()).not.toBe(first);
  expect(readFileSync(logPath(folders, 'killed'), 'utf8')).toMatch(new RegExp(`port ${part.facts.port}\n$`));
});

it('kills and restarts a process that stays silent, and leaves alone one that misses an ask now and then', async () => {
  const said: string[] = [];
  let asks = 0;
  const answers = [false, false, true, false, true, false, false, true];
  const part = await run('slow', server(), said, async () => {
    if (!(answers[asks++] ?? asks > 11)) throw new Error('silence');
  });
  const first = await runningPid(part);
  await until('a kill', () => said.length === 2);
  expect(asks).toBeGreaterThanOrEqual(answers.length + 3);
  expect(said).toEqual([
    expect.stringMatching(new RegExp(`^slow \\(process ${first}\\) has not responded for [\\d.]+ s`)),
    'slow is working again',
  ]);
});

it('starts a killed process again once all that it had started is gone too', async () => {
  // A Postgres refuses to start while a process of the one before has its memory in use.
  const file = join(folders.home, 'child');
  // Giving back its memory takes it longer than ending takes the one that has started it.
  const child =
    "globalThis.memory = Buffer.alloc(400 << 20, 1); console.log('has it'); process.stdin.resume()";
  const script = server(`
    const { writeFileSync } = await import('node:fs');
    const { spawn } = await import('node:child_process');
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}]);
    child.stdout.once('data', () => writeFileSync('${file}', String(child.pid)));`);
  const left: boolean[] = [];
  const beforeStart = async () => {
    left.push(startTimeOf(Number(readFileSync(file, 'utf8'))) !== null);
    rmSync(file);
  };
  const part = await run('parent', script, [], undefined, {}, beforeStart);
  for (let turn = 0; turn < 3; turn += 1) {
    await until('its child', () => existsSync(file));
    await part.restart();
  }
  expect(left).toEqual([false, false, false]);
});

it('starts a process again although it cannot be stored, and stores it as soon as it can', async () => {
  const part = await run('unstored', server());
  const first = await runningPid(part);
  // As on a full disk: it cannot be written.
  renameSync(folders.pids, `${folders.pids}-away`);
  process.kill(first, 'SIGKILL');
  const second = await until('another process', () => part.pid() !== first && part.pid());
  renameSync(`${folders.pids}-away`, folders.pids);
  await until('the stored process', () => storedProcess(folders, 'unstored') === second);
  expect(part.pid()).toBe(second);
});

it('starts a process again at once when it is asked to, however often, and calls that no failure', async () => {
  const said: string[] = [];
  const pause = (ms: number) => (ms === 0 ? Promise.resolve() : new Promise(() => {}));
  const part = await run('changed', server(), said, undefined, {}, pause);
  for (let turn = 0; turn < 4; turn += 1) {
    const before = await runningPid(part);
    await part.restart();
    expect(part.pid()).not.toBe(before);
  }
  expect(said).toEqual([]);
});

it('pauses longer before each restart of a process that dies early, and not once one has lived for half a minute', async () => {
  const pauses: number[] = [];
  const said: string[] = [];
  const part = await run('dying', server(), said, undefined, {}, async (ms) => pauses.push(ms));
  const { now } = Date;
  let [later, deaths] = [0, 0];
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + later);
  for (const lifeMs of [31_000, 0, 0, 0, 31_000, 0, 0]) {
    later += lifeMs;
    process.kill(await runningPid(part), 'SIGKILL');
    deaths += 1;
    await until('its return', () => said.filter((line) => line.includes('working again')).length === deaths);
  }
  clock.mockRestore();
  expect(pauses).toEqual([0, 0, 1_000, 2_000, 0, 0, 1_000]);
});

it('tries again without delay when a process that did not start is to be restarted', async () => {
  const flag = join(folders.home, 'unfinished');
  const script = server(`if ((await import('node:fs')).existsSync('${flag}')) process.exit(3);`);
  const said: string[] = [];
  // The long delay never ends by itself here.
  const pause = (ms: number) => (ms < 4_000 ? Promise.resolve() : new Promise(() => {}));
  const part = await run('unfinished', script, said, undefined, {}, pause);
  writeFileSync(flag, '');
  const broken = part.restart();
  await until('a long delay', () => said.some((line) => line.includes('restarted in 4 s')));
  rmSync(flag);
  await part.restart();
  await broken;
  expect(part.pid()).not.toBeNull();
});

it('does not wait for a response longer than for the next ask', async () => {
  const said: string[] = [];
  const part = await run('stuck', server(), said, () => new Promise(() => {}));
  await runningPid(part);
  await until('a restart', () => said.includes('stuck is working again'));
});

it('tries again until a process starts that cannot for a while', async () => {
  const said: string[] = [];
  const flag = join(folders.home, 'broken');
  const script = server(`if ((await import('node:fs')).existsSync('${flag}')) process.exit(3);`);
  const part = await run('flaky', script, said);
  writeFileSync(flag, '');
  process.kill(await runningPid(part), 'SIGKILL');
  await until(
    'a second attempt',
    () => said.filter((line) => line.includes('stopped unexpectedly')).length === 2,
  );
  rmSync(flag);
  await until('its return', () => said.at(-1) === 'flaky is working again');
});

/** Listens, and so is ready, once the file is gone. */
const serverWithout = (file: string) => `
  const { existsSync } = await import('node:fs');
  process.on('disconnect', () => process.exit());
  while (existsSync('${file}')) await new Promise((done) => setTimeout(done, 20));
  ${server()}`;
const waits = (said: string[]) => said.filter((line) => line.includes('waiting for it')).length;

it('waits for a store that recovers for as long as it takes, and says so, at its start and at a restart', async () => {
  const said: string[] = [];
  const recovery = join(folders.home, 'recovery');
  writeFileSync(recovery, '');
  const starting = run('store', serverWithout(recovery), said, async () => {}, {
    recovers: true,
    readyMs: 100,
  });
  await until('two words on it', () => waits(said) >= 2);
  rmSync(recovery);
  const part = await starting;
  writeFileSync(recovery, '');
  const before = waits(said);
  const first = await runningPid(part);
  process.kill(first, 'SIGKILL');
  const second = await until('another process', () => part.pid() !== first && part.pid());
  await until('two more', () => waits(said) >= before + 2);
  rmSync(recovery);
  await until('its return', () => said.at(-1) === 'store is working again');
  expect(part.pid()).toBe(second);
});

/** Does nothing while the file is there. */
const hangsWith = (file: string) => `
  const { existsSync, appendFileSync } = await import('node:fs');
  appendFileSync('${file}.starts', '.');
  process.on('disconnect', () => process.exit());
  if (existsSync('${file}')) await new Promise((done) => setTimeout(done, 600_000));
  ${server()}`;
const hangs = (name: string) =>
  `${name} did not start: it hangs: it has done nothing for 1 s and is not ready`;
const hanging = { recovers: true, readyMs: 200, idleMs: 1_000 };

it('restarts a store that hangs before it is ready, at its start and at a restart', async () => {
  const said: string[] = [];
  const file = join(folders.home, 'hanging');
  writeFileSync(file, '');
  const starting = run('hanging', hangsWith(file), said, async () => {}, hanging);
  const hung = () =>
    said.filter((line) => line.startsWith(`${hangs('hanging')}; it is being restarted`)).length;
  await until('the message of it', () => hung() > 0);
  rmSync(file);
  const part = await starting;
  writeFileSync(file, '');
  const before = hung();
  process.kill(await runningPid(part), 'SIGKILL');
  await until('the message again', () => hung() > before);
  rmSync(file);
  await until('its return', () => said.at(-1) === 'hanging is working again');
});

it('gives a store up that hangs at each of its first starts', async () => {
  const file = join(folders.home, 'stuck-for-good');
  writeFileSync(file, '');
  const never = run('stuck-for-good', hangsWith(file), [], async () => {}, hanging);
  await expect(never).rejects.toThrow(hangs('stuck-for-good'));
  expect(readFileSync(`${file}.starts`, 'utf8')).toBe('...');
  expect(storedProcess(folders, 'stuck-for-good')).toBeNull();
});

it('waits for a store that works for longer than it may do nothing', async () => {
  const said: string[] = [];
  const file = join(folders.home, 'working');
  writeFileSync(file, '');
  const works = `
    const { existsSync } = await import('node:fs');
    while (existsSync('${file}')) await new Promise((done) => setImmediate(done));
    ${server()}`;
  const starting = run('working', works, said, async () => {}, { ...hanging, idleMs: 2_000 });
  await until('more turns than that', () => waits(said) > 20);
  rmSync(file);
  await starting;
  expect(said.every((line) => line.includes('waiting for it'))).toBe(true);
});

it('gives a process of ours up that is not ready in time', async () => {
  const never = run('never', 'setInterval(() => {}, 1_000)', [], undefined, { readyMs: 300 });
  await expect(never).rejects.toThrow('never did not start: it was not ready after 0.3 s');
});

it('can be stopped while it waits for a store', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const waiting = run('waiting', 'setInterval(() => {}, 1_000)', said, undefined, {
    recovers: true,
    readyMs: 100,
    signal: stop.signal,
  });
  const given = expect(waiting).rejects.toThrow('it was stopped');
  await until('a word on it', () => waits(said) > 0);
  stop.abort();
  await given;
  expect(storedProcess(folders, 'waiting')).toBeNull();
});

it('says with the end of its log why a process did not start', async () => {
  const failing = run('failing', "console.log('the disk is full'); process.exit(2)");
  await expect(failing).rejects.toThrow(/^failing did not start: it ended \(code 2\)\n {2}the disk is full$/);
});

it('shows of the log only what this start has said', async () => {
  await expect(run('again', "console.log('too big'); process.exit(2)")).rejects.toThrow(/too big/);
  const second = run('again', "console.log('too small'); process.exit(2)");
  await expect(second).rejects.toThrow(/\(code 2\)\n {2}too small$/);
});

it('says which setting is wrong although there is no log yet', async () => {
  const script = `process.env.LOG_LEVEL = 'loud';
    const { runProcess } = await import('@talpa/service-kit/process/lifecycle');
    await runProcess('loud', async () => ({}));`;
  await expect(run('loud', script)).rejects.toThrow(
    /\n {2}could not start: Settings are missing or wrong: LOG_LEVEL: .*$/,
  );
});

it('reads the reason out of a log of ours', async () => {
  const line = JSON.stringify({ level: 60, msg: 'could not start', err: { message: 'PORT: too big' } });
  const failing = run('ours', `console.log('${line}'); process.exit(1)`);
  await expect(failing).rejects.toThrow(/\n {2}could not start: PORT: too big$/);
});

it('waits for a process to stop as long as it may take by its own word, and no longer', async () => {
  const hasty = await run('hasty', server("process.on('SIGTERM', () => {})"), [], undefined, {
    stopMs: () => 0,
  });
  const patient = server(`process.on('SIGTERM', () => setTimeout(() => {
    console.log('has ended by itself');
    process.exit();
  }, 6_000));`);
  const parts = [await run('patient', patient, [], undefined, { stopMs: () => 60_000 }), hasty];
  const ended: string[] = [];
  await Promise.all(
    parts.map(async (part) => {
      await part.stop();
      ended.push(part.name);
    }),
  );
  expect(ended).toEqual(['hasty', 'patient']);
  expect(readFileSync(logPath(folders, 'patient'), 'utf8')).toContain('has ended by itself');
});

it('leaves no process after stopping, and starts none again', async () => {
  const part = await run('stopped', server("process.on('SIGTERM', () => process.exit())"));
  const pid = await runningPid(part);
  await part.stop();
  expect([part.pid(), startTimeOf(pid)]).toEqual([null, null]);
});
