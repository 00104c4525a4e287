import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { publicHalf } from '@talpa/service-kit/session/keys';
import { useGateways } from '@talpa/test-kit/gateway';
import { useStores } from '@talpa/test-kit/stores';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const test = useStores();
const gateways = useGateways(() => test.stores);
const panel = mkdtempSync(join(tmpdir(), 'talpa-panel-'));
beforeAll(() => writeFileSync(join(panel, 'index.html'), '__PANEL_CONFIG__'));
afterAll(() => rmSync(panel, { recursive: true }));

const settings = () => ({
  NATS_URL: test.stores.natsUrl('gateway'),
  REDIS_URL: test.stores.redisUrl('gateway'),
  SESSION_PUBLIC_KEYS: `test:${publicHalf(randomBytes(32).toString('base64url'))}`,
  PORT: '0',
  TUNNEL_DOMAIN: 'tunnel.localhost',
  PANEL_SHELL: panel,
  PANEL_USER: panel,
  PANEL_ADMIN: panel,
});

function startProcess(env: NodeJS.ProcessEnv): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [join(root, 'gateway/main.ts')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  return { child, output: () => output };
}

describe('the gateway’s process', () => {
  it('answers what it has begun before it ends, and takes nothing new', async () => {
    const { child, output } = startProcess(settings());
    const [ready] = (await once(child, 'message')) as [{ ready: boolean; port: number }];
    const base = `http://127.0.0.1:${ready.port}`;
    const held = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    await gateways.play('auth.logout', async () => {
      began.resolve();
      await held.promise;
      return { body: 'null' };
    });
    const logout = fetch(`${base}/api/logout`, { method: 'POST', headers: { origin: base } });
    await began.promise;
    child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(`${base}/livez`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    held.resolve();
    expect((await logout).status).toBe(204);
    const [code] = await once(child, 'exit');
    expect([code, output()]).toEqual([0, expect.stringContaining('stopped')]);
  });

  it('warns at its start when subdomains could set its cookies', async () => {
    const shared = { PUBLIC_URL: 'http://panel.talpa.example', TUNNEL_DOMAIN: 'tunnel.talpa.example' };
    for (const [env, warns] of [
      [shared, true],
      [{ ...shared, PUBLIC_URL: 'https://panel.talpa.example' }, false],
    ] as const) {
      const { child, output } = startProcess({ ...settings(), ...env });
      await once(child, 'message');
      expect(output().includes('session cookies for the panel')).toBe(warns);
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });

  it('ends when its launcher is gone', async () => {
    const { child } = startProcess(settings());
    await once(child, 'message');
    child.disconnect();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('says which settings are wrong, without their values', async () => {
    const secret = randomUUID();
    const { child, output } = startProcess({
      ...settings(),
      SESSION_PUBLIC_KEYS: secret,
      TUNNEL_DOMAIN: undefined,
    });
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(output()).toContain('SESSION_PUBLIC_KEYS');
    expect(output()).toContain('TUNNEL_DOMAIN');
    expect(output()).not.toContain(secret);
  });

  it('says which setting’s port is taken, and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    for (const setting of ['PORT', 'HEALTH_PORT', 'METRICS_PORT']) {
      const { child, output } = startProcess({ ...settings(), [setting]: String(port) });
      expect((await once(child, 'exit'))[0]).toBe(1);
      const lines = output()
        .split('\n')
        .filter((line) => line.startsWith('{"level":60'));
      expect(lines).toHaveLength(1);
      const host = setting === 'HEALTH_PORT' ? '0.0.0.0' : '127.0.0.1';
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        msg: 'could not start',
        err: {
          message: expect.stringContaining(
            `${setting}: port ${port} on ${host} is already in use by another process (EADDRINUSE)`,
          ),
        },
      });
    }
    other.close();
  });
});
