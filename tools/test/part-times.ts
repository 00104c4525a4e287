import { relative } from 'node:path';
import { root } from '@talpa/instance/paths';
import type { Reporter, TestModule } from 'vitest/node';

/** Shorter ones are summed up with their project. */
const shownSeconds = 5;

/** Prints at the end of a run how long each project and each longer file took, loading included; several run at once. */
export class PartTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const line of partTimes(modules)) console.log(line);
  }
}

/** The lines, the longest first. */
function partTimes(modules: readonly Pick<TestModule, 'project' | 'moduleId' | 'diagnostic'>[]): string[] {
  const files = modules.map((module) => {
    const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } =
      module.diagnostic();
    const ms = duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration;
    return { project: module.project.name, name: relative(root, module.moduleId), seconds: ms / 1_000 };
  });
  const projects = Object.entries(Object.groupBy(files, ({ project }) => project)).map(
    ([name, some = []]) => ({
      name: `all of ${name}`,
      seconds: some.reduce((sum, { seconds }) => sum + seconds, 0),
    }),
  );
  const slowestFirst = [...projects, ...files.filter(({ seconds }) => seconds >= shownSeconds)].sort(
    (a, b) => b.seconds - a.seconds,
  );
  return [
    '\nhow long each part took:',
    ...slowestFirst.map(({ name, seconds }) => `${seconds.toFixed(0).padStart(6)} s  ${name}`),
  ];
}
