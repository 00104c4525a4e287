import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPolicy } from '@talpa/contracts';
import {
  installMs,
  NotInstalled,
  type RunningProgram,
  startProgram,
} from '@talpa/test-kit/strangers/program';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Stranger, strangers } from './programs.ts';
import { atWall, browser, enter, newProxy, ours, wallOf } from './proxies.ts';

/** A chunked body, a compressed one, one that ends with its connection. Each several times: what is lost is lost at random. */
const modes = [['--http1.1'], ['--http1.1', '-H', 'Accept-Encoding: gzip'], ['--http1.0']];
const rounds = 5;
/** Our browser compiles its code without haste. */
const patienceMs = 90_000;

/** What curl gets of some paths of one host, one after the other on as few connections as it can. */
async function curl(
  url: string,
  to: number,
  { paths, headers = [], varies }: Stranger,
  more: readonly string[],
) {
  const folder = mkdtempSync(join(tmpdir(), 'talpa-curl-'));
  const fileOf = (place: number) => join(folder, String(place));
  const child = spawn('curl', [
    ...[
      '-sS',
      '--globoff',
      '--max-time',
      '60',
      '-w',
      '%{http_code}\n',
      '--connect-to',
      `::127.0.0.1:${to}`,
      ...more,
    ],
    ...headers.flatMap((field) => ['-H', field]),
    ...paths.flatMap((path, place) => ['-o', fileOf(place), `${url}${path}`]),
  ]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
  const [code] = await once(child, 'close');
  const bodies = paths.map((path, place) => {
    const whole = readFileSync(fileOf(place), 'latin1');
    const text = varies ? whole.replace(varies, '') : whole;
    return [path, text.length, createHash('sha256').update(text, 'latin1').digest('hex')];
  });
  rmSync(folder, { recursive: true });
  return { code, said, bodies };
}

describe.each(strangers)('$name behind cloudflared', (program) => {
  let running: RunningProgram | undefined;
  let missing = '';
  beforeAll(async () => {
    try {
      running = await startProgram(program);
    } catch (error) {
      if (!(error instanceof NotInstalled)) throw error;
      missing = error.message;
    }
  }, installMs);
  afterAll(() => running?.stop());
  beforeEach((context) => {
    if (missing) context.skip(missing);
  });
  const started = () => {
    if (!running) throw new Error(missing);
    return running;
  };

  /** Through the tunnel curl gets what it gets without. */
  const isTransparent = async (url: string, port: number, token: readonly string[] = []) => {
    for (const mode of modes) {
      const direct = await curl(url, started().port, program, mode);
      expect(direct.said).toBe('200\n'.repeat(program.paths.length));
      for (let round = 0; round < rounds; round += 1)
        expect([mode, await curl(url, port, program, [...mode, ...token])]).toEqual([mode, direct]);
    }
  };

  it('open: every byte arrives, and it works in Chromium', async () => {
    const { url, port } = await newProxy(started().relayPort, openPolicy);
    await isTransparent(url, port);
    const { page } = await browser.open(url);
    page.setDefaultTimeout(patienceMs);
    await page.goto(url);
    await program.use(page, started());
  });

  it('behind the wall: nothing without a PIN, everything with it or a service token, and it gets nothing of ours', async () => {
    const { relayPort, sent, seen, forget } = started();
    const { client, id, url, port } = await newProxy(relayPort, wallOf(['pin']));
    forget();
    const { page } = await browser.open(url);
    page.setDefaultTimeout(patienceMs);
    expect((await page.goto(url))?.status()).toBe(401);
    await atWall(page);
    expect((await curl(url, port, program, [])).said).toBe('401\n'.repeat(program.paths.length));
    expect(sent()).toBe('');
    await enter(page, 'pin');
    await page.waitForLoadState();
    await program.use(page, started());
    const { secret } = await client.call('POST /api/tunnel-configs/:id/service-tokens', {
      ...{ id, name: 'curl', days: null },
    });
    await isTransparent(url, port, ['-H', `Talpa-Service-Token: ${secret}`]);
    expect(seen().length).toBeGreaterThan(program.paths.length);
    expect(sent()).not.toMatch(ours);
    expect(sent()).not.toContain(secret);
  });
});
