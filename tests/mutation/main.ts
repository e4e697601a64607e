import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { createLogger } from '#server/core/log.ts';
import { openTemporaryDatabase } from '#server/database/temporary.ts';
import { MODULES, type Module } from './modules.ts';

/**
 * `npm run mutation` changes each module that money and trust depend on in hundreds of ways, one at a time, and counts how
 * many changes its tests notice; `npm run mutation -- bids legs` does so for some. It prints the changes that nobody noticed.
 */
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in MODULES));
if (unknown.length > 0)
  throw new Error(`No module: ${unknown.join(', ')}. There are ${Object.keys(MODULES).join(', ')}`);

/** Writes a line of the table. */
function write(...cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

/** @returns the cells of the module's line */
async function measure(module: string): Promise<(string | number)[]> {
  const { mutate, tests, withConstants = false }: Module = MODULES[module] ?? { mutate: [], tests: [] };
  const begin = Date.now();
  process.env.MUTATION_TESTS = tests.join(' ');
  const results = await new Stryker({
    mutate: [...mutate],
    testRunner: 'vitest',
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    plugins: [
      fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner')),
      path.join(import.meta.dirname, 'not-mutated.js'),
    ],
    ignorers: ['words'],
    // Strings are names of columns and states, which types and the database check, or words.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    ignoreStatic: !withConstants,
    concurrency: 1,
    // Of a mutant that loops for ever; of one that waits for ever, see the configuration of vitest.
    timeoutMS: 30_000,
    timeoutFactor: 2,
    tempDirName: '.stryker-tmp',
    ignorePatterns: ['docs/*.png', 'dist', '.data', 'backups'],
    // Which new tests could notice a change of a constant, it does not know.
    incremental: !withConstants,
    incrementalFile: `.stryker-tmp/${module}.json`,
    reporters: ['progress-append-only', 'clear-text'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  }).runMutationTest();
  const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const survived = count('Survived');
  const uncovered = count('NoCoverage');
  const mutants = killed + survived + uncovered;
  const score = ((100 * killed) / mutants).toFixed(1);
  const minutes = ((Date.now() - begin) / 60_000).toFixed(1);
  return [module, mutants, killed, survived, uncovered, `${score} %`, minutes];
}

mkdirSync('.stryker-tmp', { recursive: true });
// One server for all: Stryker starts the tests' set-up anew after each mutant that hangs.
const log = createLogger({ logLevel: 'warn', isProduction: true });
const own = process.env.TEST_DATABASE_URL ? undefined : await openTemporaryDatabase(undefined, log);
if (own) process.env.TEST_DATABASE_URL = own.url;
try {
  const lines = [];
  for (const module of names.length > 0 ? names : Object.keys(MODULES)) lines.push(await measure(module));
  write('module', 'mutants', 'killed', 'survived', 'without cover', 'score', 'minutes');
  for (const line of lines) write(...line);
} finally {
  await own?.close();
}
