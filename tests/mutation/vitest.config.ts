import type { RunnerTask, RunnerTestFile } from 'vitest';
import { defineConfig } from 'vitest/config';
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node';
import { serverProject } from '../../vitest.config.ts';

/** A process runs the tests of so many mutants; then another takes its place, in case one has left something behind. */
const RUNS = 50;

/** The process, and how often it has run tests. */
let kept: { readonly worker: ForksPoolWorker; runs: number } | undefined;

async function endKept(): Promise<void> {
  const ended = kept;
  kept = undefined;
  await ended?.worker.stop();
}

type Listener = Parameters<PoolWorker['on']>[1];

/**
 * Keeps the process of the tests, where vitest would start one for each mutant: to load the server takes much longer than
 * most tests. Mutants of what runs while a module is loaded get a process of their own.
 */
class KeptWorker implements PoolWorker {
  readonly name = 'kept';
  readonly cacheFs = true;
  readonly #options: PoolOptions;
  readonly #isStatic: boolean;
  readonly #listeners: { event: string; listener: Listener }[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
    const { mutantActivation } = options.project.getProvidedContext() as { mutantActivation?: string };
    this.#isStatic = mutantActivation === 'static';
  }

  async start(): Promise<void> {
    if (this.#isStatic || (kept && kept.runs >= RUNS)) await endKept();
    if (!kept) {
      const worker = new ForksPoolWorker(this.#options);
      await worker.start();
      worker.on('exit', () => {
        if (kept?.worker === worker) kept = undefined;
      });
      kept = { worker, runs: 0 };
    }
    kept.runs += 1;
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push({ event, listener });
    kept?.worker.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    kept?.worker.off(event, listener);
  }

  /** A process that is told to stop hears nothing after it: this answers in its place. */
  send(message: WorkerRequest): void {
    if (message.type !== 'stop') kept?.worker.send(message);
    else
      for (const { event, listener } of this.#listeners)
        if (event === 'message') listener({ type: 'stopped', __vitest_worker_response__: true });
  }

  async stop(): Promise<void> {
    for (const { event, listener } of this.#listeners) this.off(event, listener);
    if (this.#isStatic) await endKept();
  }

  deserialize(data: unknown): unknown {
    return data;
  }
}

function failAllIfSetUpFails(file: RunnerTestFile): RunnerTestFile {
  const { result } = file;
  const fail = (task: RunnerTask): void => {
    if (task.type === 'suite') task.tasks.forEach(fail);
    else if (task.result === undefined || task.result.state === 'skip')
      Object.assign(task, { mode: 'run', result });
  };
  if (result?.state === 'fail') fail(file);
  return file;
}

export default defineConfig({
  plugins: [
    ...serverProject.plugins,
    {
      name: 'kept-worker',
      configureVitest({ project, vitest }) {
        const getFiles = vitest.state.getFiles.bind(vitest.state);
        // Stryker (9.6) looks at tests and their suites: those of a file whose set-up fails are skipped, so nothing seems to have failed.
        vitest.state.getFiles = (keys) => getFiles(keys).map(failAllIfSetUpFails);
        // Stryker sets a pool of threads, which do not know all options of our processes.
        project.config.pool = 'kept';
        project.config.poolRunner = {
          name: 'kept',
          createPoolWorker: (options) => new KeptWorker(options),
        };
      },
    },
  ],
  test: {
    ...serverProject.test,
    // A mutant may wait for what never comes. Tests take seconds, on a busy machine ten times as many.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    // Stryker's own choice of test files (9.6) never starts a process of its own for what runs while a module is loaded.
    include: process.env.MUTATION_TESTS?.split(' ') ?? [],
    globalSetup: ['tests/global-setup.ts'],
    setupFiles: ['tests/mutation/setup.ts'],
  },
});
