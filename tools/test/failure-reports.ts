import { relative } from 'node:path';
import { root } from '@talpa/instance/paths';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { Machine } from './machine.ts';

/**
 * Prints why a test failed as soon as it has: a run that is broken off says so, too. At the end of a run it prints, for each
 * failed test, the report about its page and its processes (`tests/kit/failure-report.ts`), what the machine did then,
 * and the command that runs it again.
 */
export class FailureReports implements Reporter {
  private readonly machine = new Machine();
  private readonly machines = new Map<string, string>();

  onTestRunStart(): void {
    this.machine.start();
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    console.log(`\n── failed: ${test.fullName}`);
    for (const { message, diff } of errors) console.log(diff ? `${message}\n${diff}` : message);
    const machine = this.machine.report().join('\n');
    this.machines.set(test.id, machine);
    console.log(machine);
  }

  /** A hook that failed has no test. */
  onTestModuleEnd(module: TestModule): void {
    if (module.errors().length === 0) return;
    console.log(`\n── failed: ${relative(root, module.moduleId)}`);
    for (const { message } of module.errors()) console.log(message);
    for (const line of this.machine.report()) console.log(line);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.machine.stop();
    for (const test of modules.flatMap((module) => [...module.children.allTests('failed')])) {
      const { failureReports = [] } = test.meta() as { failureReports?: string[] };
      console.log(`\n── report: ${test.fullName}`);
      for (const report of failureReports) console.log(`${report}\n`);
      console.log(this.machines.get(test.id));
      console.log(`To repeat it: ${repeat(test)}`);
    }
  }
}

/** A shell command; vitest reads the name as a regular expression. */
function repeat({ module, name }: TestCase): string {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/'/g, '.');
  return `npm test -- ${relative(root, module.moduleId)} -t '${pattern}'`;
}
