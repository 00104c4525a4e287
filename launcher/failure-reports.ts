import type { Reporter, TestModule } from 'vitest/node';

/** Prints at the end of a run what failed tests told about their pages and processes (`tests/kit/failure-report.ts`). */
export class FailureReports implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests('failed')])) {
      const { failureReports = [] } = test.meta() as { failureReports?: string[] };
      for (const report of failureReports) console.log(`\n── ${test.fullName}\n${report}`);
    }
  }
}
