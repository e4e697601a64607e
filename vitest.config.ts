import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { macrosIn } from './scripts/build/macros.ts';
import { plant } from './tests/market/fault.ts';
import { PLANTED } from './tests/market/planted.ts';
import { countReached } from './tests/market/reached.ts';
import { slowestFiles } from './tests/slowest-files.ts';
import { HANGS_MS, WAIT_MS } from './tests/support/patience.ts';
import { shortOrLong } from './tests/support/rounds.ts';

const MOCKED = '{src/server,tests}/**/*.{mocked,fresh}.test.ts';
const FRESH = 'src/web/**/*.fresh.test.{ts,tsx}';

/**
 * What `npm test` leaves to `npm run test:all`: the market over HTTP, in browsers, under faults and at random. `FIRST` of it
 * is in both.
 */
const DEEP = 'tests/{api,browser,faults,fuzz,market,model,providers,simulation}/**/*.test.ts';
const FIRST = [
  'tests/api/{access,api-keys,bad-input,no-code,own-cases,races}.test.ts',
  'tests/browser/{languages,stranger,trade}.test.ts',
  'tests/faults/production-install.test.ts',
  'tests/model/model.test.ts',
];

const LIMIT_MS = shortOrLong(HANGS_MS, 6 * HANGS_MS);
const CORES = Math.min(5, availableParallelism());
/** From Node 25 on, its own `localStorage`, which keeps nothing, would stand in the way of happy-dom's. */
const WITHOUT_STORAGE = process.allowedNodeEnvironmentFlags.has('--webstorage') ? ['--no-webstorage'] : [];
/** The server works in UTC, whatever the machine's time zone: in this one it is tomorrow for more than half of the day. */
const ELSEWHERE = { TZ: 'Pacific/Apia' };
/** Of every project: none inherits the root's. */
const COMMON = {
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
  expect: { poll: { timeout: WAIT_MS } },
  // Much of what a test makes is garbage at once: a larger first generation is collected less often.
  execArgv: ['--max-semi-space-size=64', ...WITHOUT_STORAGE],
};

/**
 * Builds the server with the fault that the simulation or the model is to find, if PLANTED names one. With COUNTED it has no
 * fault, but counts what reaches the places of all.
 */
const plantedFault: Plugin = {
  name: 'planted-fault',
  enforce: 'pre',
  transform(code, file) {
    const here = PLANTED.filter((fault) => file.endsWith(`/src/server/${fault.file}`));
    if (process.env.COUNTED && here.length > 0) return countReached(code, here);
    const fault = here.find(({ name }) => name === process.env.PLANTED);
    return fault ? plant(code, fault) : null;
  },
};

/** The tests of the server. Mutation testing (tests/mutation) runs them, too. */
export const serverProject = {
  plugins: [plantedFault, macrosIn()],
  test: {
    ...COMMON,
    name: 'server',
    environment: 'node',
    env: ELSEWHERE,
    // Loads the modules once for all files: nearly all of them have no state.
    isolate: false,
    include: [
      'src/{server,contract,locales}/**/*.test.ts',
      'scripts/**/*.test.ts',
      'tests/{journeys/,}*.test.ts',
      ...FIRST,
    ],
    exclude: [MOCKED],
  },
};

export default defineConfig({
  // For what sets up the run.
  plugins: [macrosIn()],
  test: {
    // A bundle is not made again while vitest runs.
    watch: false,
    teardownTimeout: HANGS_MS,
    reporters: [slowestFiles, 'default'],
    // One PostgreSQL for the whole run: the root sets it up, not each project.
    globalSetup: ['tests/global-setup.ts'],
    // One more than cores: a worker often waits for PostgreSQL or a browser.
    maxWorkers: CORES + 1,
    projects: [
      serverProject,
      {
        ...serverProject,
        test: { ...serverProject.test, name: 'deep', include: [DEEP], exclude: [MOCKED, ...FIRST] },
      },
      {
        plugins: [macrosIn()],
        test: {
          // What a test mocks must not be loaded already, nor what reads the settings of its market once.
          ...COMMON,
          name: 'mocked',
          environment: 'node',
          env: ELSEWHERE,
          include: [MOCKED],
        },
      },
      {
        plugins: [macrosIn('en')],
        test: {
          ...COMMON,
          name: 'web',
          environment: 'happy-dom',
          env: { TZ: 'UTC' },
          // These wait for nothing: one more would only slow the others down. A number of its own needs a group of its own.
          maxWorkers: CORES,
          sequence: { groupOrder: 1 },
          // As with the server: loading React and Mantine for each file takes longer than most tests.
          isolate: false,
          setupFiles: ['tests/support/web/setup.ts'],
          include: ['src/web/**/*.test.{ts,tsx}'],
          exclude: [FRESH],
        },
      },
      {
        plugins: [macrosIn('en')],
        test: {
          // These test modules that keep state for the life of a page. What renders imports the set-up itself: it takes
          // longer than the others.
          ...COMMON,
          name: 'fresh',
          environment: 'happy-dom',
          env: { TZ: 'UTC' },
          include: [FRESH],
        },
      },
    ],
  },
});
