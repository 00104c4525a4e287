import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Stores the plain line `N passed, N failed`, with which `npm test` closes, in the file TALPA_TEST_TOTALS. */
export class TestTotals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env.TALPA_TEST_TOTALS;
    if (!file) return;
    const tests = modules.flatMap((module): TestCase[] => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const isBroken = (module: TestModule) => module.state() === 'failed' && module.errors().length > 0;
    const failed = count('failed') + modules.filter(isBroken).length + errors.length;
    // An interrupted test has no result.
    const skipped = count('skipped') + count('pending');
    const line = `${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    writeFileSync(file, line);
  }
}
