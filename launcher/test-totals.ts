import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Closes a run with the plain line `N passed, N failed`, which any reader of logs understands. */
export class TestTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module): TestCase[] => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const brokenModules = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    );
    const failed = count('failed') + brokenModules.length + errors.length;
    const skipped = count('skipped');
    // After vitest's own summary.
    process.once('exit', () =>
      console.log(`${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`),
    );
  }
}
