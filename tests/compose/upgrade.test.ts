import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { atWork, ComposeSystem, noCompose, roomyLimits } from '@talpa/test-kit/compose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The version to come from: a commit, the one before unless TALPA_TEST_FROM names another. */
const from = process.env.TALPA_TEST_FROM ?? 'HEAD~1';

describe.skipIf(noCompose)(`an upgrade in containers${noCompose ? ` (skipped: ${noCompose})` : ''}`, () => {
  const earlier = join(mkdtempSync(join(tmpdir(), 'talpa-earlier-')), 'talpa');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  let system: ComposeSystem;

  beforeAll(async () => {
    git('worktree', 'add', '--detach', earlier, from);
    system = await ComposeSystem.create('talpa-test-upgrade', roomyLimits);
    await system.at(earlier, 'test-earlier').compose(['up', '-d', '--build']);
    await system.waitUntilReady();
  });
  afterAll(async () => {
    if (!process.env.TALPA_TEST_KEEP) await system.remove();
    git('worktree', 'remove', '--force', earlier);
    rmSync(join(earlier, '..'), { recursive: true, force: true });
  });

  /** When services' containers were started. */
  const startsOf = async (services: readonly string[]) =>
    (await system.containers())
      .filter(({ service }) => services.includes(service))
      .map(({ service, inspected }) => [service, inspected.State.StartedAt])
      .toSorted();

  const fatal = { command: ['node', '-e', 'console.error("out of luck"); process.exit(1)'] };

  it('goes on with the version before, and says why, when the next cannot change the database or dies', async () => {
    await system.compose(['build']);
    const before = await startsOf(['auth', 'gateway', 'tunnel-provider', 'edge', 'load-balancer']);
    const work = await atWork(system);
    const migration = join(earlier, '../9999_impossible.sql');
    writeFileSync(migration, 'select no_such_column');
    const volumes = [`${migration}:/talpa/services/auth/migrations/9999_impossible.sql:ro`];
    await expect(system.upgrade({ migrate: { volumes } })).rejects.toThrow(
      /"no_such_column" does not exist.*stopped at “auth”.*The old ones keep running/s,
    );
    await expect(system.upgrade({ auth: fatal })).rejects.toThrow(
      /out of luck.*stopped at “auth”.*The old ones keep running/s,
    );
    const { refused, done } = await work.end();
    expect(done).toBeGreaterThan(0);
    expect(refused).toEqual([]);
    expect(await startsOf(['auth', 'gateway', 'tunnel-provider', 'edge', 'load-balancer'])).toEqual(before);
  });

  it('refuses nobody and loses nothing while every part is replaced by the next version’s', async () => {
    const stores = await startsOf(['postgres', 'nats', 'redis']);
    const edge = await startsOf(['edge']);
    const work = await atWork(system);
    // What holds a port cannot stand beside its successor: it is tried first.
    await expect(system.upgrade({ edge: fatal })).rejects.toThrow(/out of luck.*stopped at “edge”/s);
    expect(await startsOf(['edge'])).toEqual(edge);
    expect(work.refused).toEqual([]);
    await system.upgrade();
    const { refused, done } = await work.end();
    expect(await startsOf(['postgres', 'nats', 'redis'])).toEqual(stores);
    expect(done).toBeGreaterThan(0);
    // While the load balancer is replaced nobody answers at all; a response is never a refusal.
    expect(refused.filter((what) => !what.includes('fetch failed'))).toEqual([]);
    const images = (await system.containers()).map(({ inspected }) => inspected.Config.Image);
    expect(images.filter((image) => image.endsWith(':test-earlier'))).toEqual([]);
  });
});
