import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, runCommand } from '@talpa/instance/cli';
import { root } from '@talpa/instance/paths';
import { ensurePrograms } from '@talpa/instance/system-packages';
import { loadSettings, settleLoad } from '@talpa/test-kit/load/settle';
import { adminPassword, startTestTalpa } from '@talpa/test-kit/system';
import { nameOutOf, profileNames, scenarioNames } from '../deploy/k6/lib/names.ts';
import { findK6, installK6 } from './k6.ts';
import { clearTestFolder, makeTestFolder } from './test/test-folder.ts';

/** `npm run load [-- <scenario> <profile>]`: an instance with people, k6 before it, a report in `load/`. */
await runCommand(async () => {
  const { scenario, profile } = readNames(process.argv.slice(2));
  const log = (line: string) => console.log(`… ${line}`);
  await ensurePrograms(['postgres', 'nats-server', 'redis-server'], log);
  const k6 = findK6() ?? (await installK6(log));
  const home = makeTestFolder();
  const folder = join(root, 'load');
  mkdirSync(folder, { recursive: true });
  let code = 1;
  try {
    log('starting an instance with sample users');
    const talpa = await startTestTalpa(home, {
      LOG_LEVEL: 'warn',
      EDGE_REQUEST_LIMIT_PER_MINUTE: '1000000000',
      EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: '1000000000',
      EDGE_VISITOR_CONNECTION_LIMIT: '1000000',
      ADDRESS_CONNECTION_LIMIT: '1000000',
    });
    try {
      const world = await settleLoad(talpa);
      const people = join(home, 'people.json');
      const admins = [{ username: 'admin', password: adminPassword }];
      writeFileSync(people, JSON.stringify({ users: world.users, admins }), { mode: 0o600 });
      const report = join(folder, `${scenario}-${profile}`);
      rmSync(`${report}.html`, { force: true });
      log(`k6: ${scenario}, ${profile}`);
      const child = spawn(k6, ['run', join(root, 'deploy/k6/main.ts')], {
        stdio: 'inherit',
        env: {
          ...process.env,
          ...loadSettings({ scenario, profile, people, talpa, world }),
          K6_WEB_DASHBOARD: 'true',
          K6_WEB_DASHBOARD_PORT: '-1',
          K6_WEB_DASHBOARD_EXPORT: `${report}.html`,
        },
      });
      [code] = await once(child, 'exit');
      await world.stop();
    } finally {
      await talpa.stop();
    }
    if (code === 99) throw new CliError(`Thresholds were missed; the report is ${folder}.`);
    if (code !== 0) throw new CliError(`k6 ended with ${code}.`);
    log(`report: load/${scenario}-${profile}.html`);
  } finally {
    await clearTestFolder(home);
  }
  process.exit(code);
});

/** Before an instance is started for them. @throws CliError that lists which there are */
function readNames([scenario = 'dashboard', profile = 'smoke']: readonly string[]) {
  try {
    return {
      scenario: nameOutOf('scenario', scenarioNames, scenario),
      profile: nameOutOf('profile', profileNames, profile),
    };
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error));
  }
}
