import { globSync, readFileSync } from 'node:fs';
import { isLong, patienceMs } from '@talpa/test-kit/lengths';
import { defineConfig } from 'vitest/config';
import { FailureReports } from './tools/test/failure-reports.ts';
import { PartTimes } from './tools/test/part-times.ts';
import { TestTotals } from './tools/test/test-totals.ts';

/** Files at once: they wait for half of their time. Vitest demands equal numbers, and runs one project after the other. */
const maxWorkers = 4;
const exclude = ['**/node_modules/**', '**/dist/**', '.talpa*/**'];

// A page shows what follows a press when it is ready: what is read of it is waited for.
const patient = { poll: { timeout: patienceMs, interval: 50 } };

/** They look at users of their own alone: a worker starts one panel and one browser for all of them (`useShared…`). */
const sharing = ['tests/browser', 'tests/system']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
  .filter((file) => readFileSync(file, 'utf8').match(/ = useShared\w+\(/));

export default defineConfig({
  test: {
    reporters: [new FailureReports(), 'default', ...(isLong ? [new PartTimes()] : []), new TestTotals()],
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            '{packages,services,gateway,frontends,launcher,operator,tools,tests/kit}/**/*.test.{ts,tsx}',
          ],
          exclude: [...exclude, '**/*.integration.test.ts'],
          // A process for each file would take as much processor time as all of them. Spies and clocks are put back.
          isolate: false,
          restoreMocks: true,
          setupFiles: 'tests/kit/real-timers.ts',
          // None waits for anything: this ends what never would, on a machine however busy.
          testTimeout: 180_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'integration',
          include: [
            '{packages,services,gateway,launcher,operator,tools,tests/kit}/**/*.integration.test.ts',
            'tests/*/**/*.test.ts',
          ],
          exclude: [
            ...exclude,
            ...sharing,
            'tests/{browser,compose}/**',
            'tests/kit/**/!(*.integration).test.ts',
          ],
          // Each file starts stores or processes of its own; loading the services' code anew would take a quarter of the time.
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 240_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          exclude: [...exclude, ...sharing],
          testTimeout: 180_000,
          expect: patient,
          hookTimeout: 180_000,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'sharing',
          include: sharing,
          isolate: false,
          testTimeout: 180_000,
          expect: patient,
          hookTimeout: 240_000,
          maxWorkers,
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
