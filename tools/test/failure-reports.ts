import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { root } from '../../launcher/paths.ts';

/**
 * Prints at the end of a run, for each failed test, what it told about its page and its processes
 * (`packages/test-kit/failure-report.ts`), and the command that runs it again.
 */
export class FailureReports implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests('failed')])) {
      const { failureReports = [] } = test.meta() as { failureReports?: string[] };
      console.log(`\n── failed: ${test.fullName}`);
      for (const report of failureReports) console.log(`${report}\n`);
      console.log(`To repeat it: ${repeat(test)}`);
    }
  }
}

/** A shell command; vitest reads the name as a regular expression. */
function repeat({ module, name }: TestCase): string {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/'/g, '.');
  return `npm test -- ${relative(root, module.moduleId)} -t '${pattern}'`;
}
