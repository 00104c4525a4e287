import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findK6 } from '../../launcher/k6.ts';
import { root } from '../../launcher/paths.ts';
import { type LoadWorld, loadSettings, settleLoad } from '../kit/load/settle.ts';
import { adminPassword, useTalpa } from '../kit/system.ts';

const k6 = findK6();
if (!k6) console.log('k6 2 is not here: the load scenarios are not tried (npm run load installs it)');

describe.skipIf(!k6)('the load scenarios', () => {
  const system = useTalpa({ EDGE_REQUEST_LIMIT: '1000000' });
  const folder = mkdtempSync(join(tmpdir(), 'talpa-load-'));
  const people = join(folder, 'people.json');
  let world: LoadWorld | undefined;
  beforeAll(async () => {
    world = await settleLoad(system.talpa);
    const admins = [{ username: 'admin', password: adminPassword }];
    writeFileSync(people, JSON.stringify({ users: world.users, admins }));
  }, 60_000);
  afterAll(async () => {
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['sign-in', 'dashboard', 'proxy-life', 'admin-lists', 'panel'])(
    '%s passes its smoke run',
    async (scenario) => {
      if (!world || !k6) throw new Error('not started');
      const settings = loadSettings({ scenario, profile: 'smoke', people, talpa: system.talpa, world });
      // Beside us, not instead of us: the connector and the panel behind it live in this process.
      const run = spawn(k6, ['run', '--quiet', join(root, 'deploy/k6/main.ts')], {
        env: { ...process.env, ...settings },
      });
      let said = '';
      for (const stream of [run.stdout, run.stderr]) stream.on('data', (data) => (said += data));
      const [code] = await once(run, 'close');
      expect(code, said).toBe(0);
    },
    120_000,
  );
});
