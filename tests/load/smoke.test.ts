import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { launch } from '@talpa/test-kit/command';
import { type LoadWorld, loadSettings, settleLoad } from '@talpa/test-kit/load/settle';
import { adminPassword, useTalpa } from '@talpa/test-kit/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileNames, scenarioNames } from '../../deploy/k6/lib/names.ts';
import { findK6 } from '../../tools/k6.ts';

const k6 = findK6();
if (!k6) console.log('k6 2 is not here: the load scenarios are not tried (npm run load installs it)');

async function runK6(words: readonly string[], env: Record<string, string> = {}) {
  const run = spawn(k6 ?? '', [...words, join(root, 'deploy/k6/main.ts')], {
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (data) => (said += data));
  const [code] = await once(run, 'close');
  return { code, said };
}

describe('npm run load', () => {
  it.each([
    ['nosuch', 'smoke', /✗ No scenario “nosuch”\. One of: .*dashboard/],
    ['dashboard', 'nosuch', /✗ No profile “nosuch”\. One of: .*average/],
  ])('refuses %s %s before anything is started, and lists what there is', async (scenario, profile, line) => {
    const command = launch('load', {}, [scenario, profile]);
    expect(await command.ended).toBe(1);
    expect(command.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });
});

describe.skipIf(!k6)('the load scenarios', () => {
  const system = useTalpa({
    EDGE_REQUEST_LIMIT_PER_MINUTE: '1000000',
    EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: '1000000',
    EDGE_VISITOR_CONNECTION_LIMIT: '1000000',
  });
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

  const runSmoke = async (scenario: string, other: Record<string, string> = {}) => {
    if (!world) throw new Error('not started');
    const settings = loadSettings({ scenario, profile: 'smoke', people, talpa: system.talpa, world });
    // Beside us, not instead of us: the connector and the panel behind it live in this process.
    return runK6(['run', '--quiet'], { ...settings, ...other });
  };

  it.each(scenarioNames)(
    '%s passes its smoke run',
    async (scenario) => {
      const { code, said } = await runSmoke(scenario);
      expect(code, said).toBe(0);
    },
    120_000,
  );

  it('bring their own people where none are given, and leave nobody behind', async () => {
    const admin = await system.admin();
    const before = (await admin.call('GET /api/admin/users', {})).length;
    const { code, said } = await runSmoke('dashboard', { K6_PEOPLE: '' });
    expect(code, said).toBe(0);
    expect(said).toContain('go: 204');
    expect(await admin.call('GET /api/admin/users', {})).toHaveLength(before);
  }, 120_000);

  it('are taken by k6 in every profile', async () => {
    for (const scenario of scenarioNames)
      for (const profile of profileNames) {
        const variables = ['-e', `SCENARIO=${scenario}`, '-e', `PROFILE=${profile}`];
        const { code, said } = await runK6(['inspect', ...variables]);
        expect([scenario, profile, code], said).toEqual([scenario, profile, 0]);
      }
  }, 120_000);
});
