import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { root } from '../../launcher/paths.ts';
import durations from './durations.json' with { type: 'json' };
import { LongestFirst } from './longest-first.ts';

/** A run's file as the sequencer sees it. */
const fileOf = (project: string, file: string) =>
  ({
    moduleId: join(root, file),
    project: { name: project, config: { isolate: true, sequence: { groupOrder: 0 } } },
  }) as unknown as TestSpecification;

describe('the order of the test files', () => {
  it('begins with the longest of all projects; those that share a panel follow one another', async () => {
    const context = { cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest;
    const sorted = await new LongestFirst(context).sort([
      fileOf('unit', 'launcher/cli.test.ts'),
      fileOf('sharing', 'tests/browser/weight.test.ts'),
      fileOf('integration', 'tests/new.test.ts'),
      fileOf('integration', 'tests/upgrade/upgrade.test.ts'),
      fileOf('browser', 'tests/browser/walk/walk.test.ts'),
      fileOf('sharing', 'tests/browser/payment.test.ts'),
      fileOf('integration', 'launcher/start.integration.test.ts'),
      fileOf('browser', 'tests/browser/matrix.test.ts'),
    ]);
    const order = sorted.map(({ moduleId, project }) => [
      project.name,
      moduleId
        .slice(root.length + 1)
        .split('/')
        .at(-1),
    ]);
    expect(order.slice(0, 3)).toEqual([
      ['browser', 'matrix.test.ts'],
      ['integration', 'start.integration.test.ts'],
      ['browser', 'walk.test.ts'],
    ]);
    expect(order.map(([project]) => project).slice(3)).toEqual([
      ...['sharing', 'sharing', 'integration', 'integration', 'unit'],
    ]);
    expect(order.slice(5, 7)).toEqual([
      ['integration', 'upgrade.test.ts'],
      ['integration', 'new.test.ts'],
    ]);
  });

  it('knows no file that is gone', () => {
    expect(Object.keys(durations).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
