import type { Reporter, Vitest } from 'vitest/node';

const SHOWN = 10;
let vitest: Vitest | undefined;

/** Prints the slowest files, hooks included, at the end of a run, and how many tests the long form alone has. */
export const slowestFiles: Reporter = {
  onInit(started) {
    vitest = started;
  },
  onTestRunEnd(modules) {
    const times = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return { seconds: (duration + collectDuration) / 1_000, file: module.relativeModuleId };
    });
    const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    const lines = slowest.map(({ seconds, file }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
    const left = modules.flatMap(({ children }) => [...children.allTests('skipped')]).length;
    // With a pattern, other tests are skipped as well.
    if (left > 0 && !vitest?.config.testNamePattern)
      lines.push(
        `Left to the long form (npm run test:long): ${left} tests, and the rounds and kinds of others.`,
      );
    process.stdout.write(['', `The ${slowest.length} slowest files:`, ...lines, ''].join('\n'));
  },
};
