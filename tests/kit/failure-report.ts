import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What a failed test reports about its page and its processes. */
    failureReports?: string[];
  }
}

/** Adds to what is printed about a failed test at the end of the run. */
export function addFailureReport({ task }: Pick<TestContext, 'task'>, lines: readonly string[]): void {
  task.meta.failureReports = [...(task.meta.failureReports ?? []), lines.join('\n')];
}
