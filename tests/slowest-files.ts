import type { Reporter } from 'vitest/node';

const SHOWN = 10;

/** Prints the slowest files, hooks included, at the end of a run. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    const times = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return { seconds: (duration + collectDuration) / 1_000, file: module.relativeModuleId };
    });
    const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
    const lines = slowest.map(({ seconds, file }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
    process.stdout.write(['', `The ${lines.length} slowest files:`, ...lines, ''].join('\n'));
  },
};
