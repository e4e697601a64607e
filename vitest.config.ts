import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { HANGS_MS, WAIT_MS } from './src/server/testing/patience.ts';
import { slowestFiles } from './tests/slowest-files.ts';

const MOCKED = 'src/server/**/*.mocked.test.ts';
const FRESH = 'src/web/**/*.fresh.test.{ts,tsx}';
const WEB_SETUP = ['src/web/testing/setup.ts'];

/**
 * What takes a minute and more in a browser: begun last it would keep one core busy and the other idle. The others
 * are better left as they come: without isolation they are dealt out beforehand, and these all to one process.
 */
const LONG = ['tests/browser/member-pages', 'tests/browser/pages'];

/** The long ones first, the others as ever. A class, since that is what vitest asks for. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((part) => moduleId.includes(part));
      return index === -1 ? LONG.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

const PATIENT = { testTimeout: HANGS_MS, hookTimeout: HANGS_MS, expect: { poll: { timeout: WAIT_MS } } };

export default defineConfig({
  test: {
    teardownTimeout: HANGS_MS,
    reporters: [slowestFiles, 'default'],
    sequence: { sequencer: LongestFirst },
    // One PostgreSQL for the whole run: set up by the root, not by each project.
    globalSetup: ['tests/global-setup.ts'],
    // A test file is a process, its share of PostgreSQL's work is another: more of them only wait for each other.
    maxWorkers: Math.min(4, availableParallelism()),
    projects: [
      {
        test: {
          ...PATIENT,
          name: 'server',
          environment: 'node',
          // The modules are loaded once for all files: by far the most of them keep nothing.
          isolate: false,
          include: ['src/{server,contract}/**/*.test.ts', 'scripts/**/*.test.ts'].concat(
            'tests/{api,faults}/**/*.test.ts',
            'tests/*.test.ts',
          ),
          exclude: [MOCKED],
        },
      },
      {
        test: {
          // Where a module is put in place of another, it must not have been loaded before.
          ...PATIENT,
          name: 'mocked',
          environment: 'node',
          include: [MOCKED],
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'web',
          environment: 'happy-dom',
          // As with the server: loading React and Mantine anew for each file takes longer than most tests.
          isolate: false,
          setupFiles: WEB_SETUP,
          include: ['src/web/**/*.test.{ts,tsx}'],
          exclude: [FRESH],
        },
      },
      {
        test: {
          // What a module keeps for as long as the page lives is what these look at.
          ...PATIENT,
          name: 'fresh',
          environment: 'happy-dom',
          setupFiles: WEB_SETUP,
          include: [FRESH],
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'browser',
          environment: 'node',
          include: ['tests/browser/**/*.test.ts'],
          // A browser takes a core by itself: after the others, so that pages are not waited for too long.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
