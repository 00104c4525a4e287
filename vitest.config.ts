import { defineConfig } from 'vitest/config';
import { isLong } from './packages/test-kit/lengths.ts';
import { FailureReports } from './tools/test/failure-reports.ts';
import { MixedOrder } from './tools/test/mixed-order.ts';
import { PartTimes } from './tools/test/part-times.ts';
import { TestTotals } from './tools/test/test-totals.ts';

/** Tests wait more than they work: four files at once keep two cores busy. Equal numbers let the projects follow each other at once. */
const maxWorkers = 4;
const exclude = ['**/node_modules/**', '**/dist/**', '.talpa*/**'];

// A process for each file would take as much processor time as all of them. Spies and clocks are put back.
const sharedWorkers = {
  isolate: false,
  restoreMocks: true,
  setupFiles: 'packages/test-kit/real-timers.ts',
  maxWorkers,
};

export default defineConfig({
  test: {
    reporters: [new FailureReports(), 'default', ...(isLong ? [new PartTimes()] : []), new TestTotals()],
    sequence: { sequencer: MixedOrder },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,services,gateway,frontends,launcher,operator,tools}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.integration.test.ts'],
          ...sharedWorkers,
          // None waits for anything: this ends what never would, on a machine however busy.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          // They start stores, processes and browsers; a worker starts one panel and one browser for all files that share them (`useShared…`).
          name: 'system',
          include: [
            '{packages,services,gateway,launcher,operator,tools}/**/*.integration.test.ts',
            'tests/*/**/*.test.ts',
          ],
          exclude: [...exclude, 'tests/compose/**'],
          ...sharedWorkers,
          testTimeout: 180_000,
          hookTimeout: 240_000,
          // A page shows what follows a press when it is ready: what is read of it is waited for.
          expect: { poll: { timeout: 20_000, interval: 50 } },
        },
      },
      {
        test: {
          name: 'compose',
          include: ['tests/compose/**/*.test.ts'],
          exclude,
          testTimeout: 600_000,
          hookTimeout: 1_200_000,
          maxWorkers,
        },
      },
    ],
  },
});
