import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const MOCKED = 'src/server/**/*.mocked.test.ts';

export default defineConfig({
  test: {
    // One PostgreSQL for the whole run: set up by the root, not by each project.
    globalSetup: ['tests/global-setup.ts'],
    // A test file is a process, its share of PostgreSQL's work is another: more of them only wait for each other.
    maxWorkers: Math.min(4, availableParallelism()),
    projects: [
      {
        test: {
          name: 'server',
          environment: 'node',
          // The modules are loaded once for all files: by far the most of them keep nothing.
          isolate: false,
          include: ['src/{server,contract}/**/*.test.ts', 'db/**/*.test.ts', 'scripts/**/*.test.ts'].concat(
            'tests/{api,faults}/**/*.test.ts',
            'tests/*.test.ts',
          ),
          exclude: [MOCKED],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          // Where a module is put in place of another, it must not have been loaded before.
          name: 'mocked',
          environment: 'node',
          include: [MOCKED],
        },
      },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['src/web/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          environment: 'node',
          include: ['tests/browser/**/*.test.ts'],
          // A browser takes a core by itself: after the others, so that pages are not waited for too long.
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
