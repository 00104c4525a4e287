import { defineConfig } from 'vitest/config';

/** The tests that call code in their own process: a program they start would not know of the mutant. */
export default defineConfig({
  test: {
    include: ['{packages,services,gateway}/**/*.test.ts', 'tests/gateway/*.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
