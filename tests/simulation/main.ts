import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { PLANTED } from '../market/planted.ts';
import { noteFinding, readFindings, seedsOf, tableOf } from './findings.ts';
import { hostileOdds, odds } from './odds.ts';

/** The odds of so many seeds are printed. */
const SHOWN = 20;

/**
 * `npm run simulate -- --seed 7 --days 30` repeats one month, which a failure names; `--seed 1-100` tries many.
 * `--fault mail` plants, one after the other, the faults whose names it matches: first each seed runs without any and says
 * which places it reaches, then those seeds look for a fault that reach its place, for `--minutes` at most. With `--model` the
 * model looks. `--findings` names a folder in which another command has left what it saw: it is not done again.
 * `--situations` prints how often what has come up. With `--hostile`, people are out for the money of the market.
 */
const { values } = parseArgs({
  options: {
    ...{ seed: { type: 'string' }, days: { type: 'string' }, minutes: { type: 'string' } },
    ...{ fault: { type: 'string' }, findings: { type: 'string' } },
    ...{ model: { type: 'boolean' }, situations: { type: 'boolean' }, hostile: { type: 'boolean' } },
  },
});
const { seed, days, minutes, fault, model = false, situations = false, hostile = false } = values;
const findings = values.findings ?? (await mkdtemp(path.join(tmpdir(), 'clipswap-findings-')));
Object.assign(process.env, {
  FINDINGS: findings,
  ...(seed && { SEEDS: seed }),
  ...(days && { DAYS: days }),
  ...(minutes && { MINUTES: minutes }),
  ...(situations && { SITUATIONS: 'yes' }),
  ...(hostile && { HOSTILE: 'yes' }),
});

for (const one of seed === undefined ? [] : seedsOf(seed).slice(0, SHOWN))
  process.stdout.write(`seed ${one}: ${JSON.stringify((hostile ? hostileOdds : odds)(one))}\n`);

const vitest = await createVitest('test', { watch: false });
await vitest.standalone();

/** Runs the tests of a file whose title matches, with the server as the environment asks for. @returns whether all passed */
async function run(file: string, title: string, built: readonly string[] = []): Promise<boolean> {
  for (const one of built) vitest.invalidateFile(path.resolve('src/server', one));
  vitest.setGlobalTestNamePattern(title);
  const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications([file]));
  for (const one of built) vitest.invalidateFile(path.resolve('src/server', one));
  return testModules.every((module) => module.ok());
}

const SIMULATION = 'tests/simulation/faults.test.ts';
const MODEL = 'tests/model/faults.test.ts';

const isFound = (name: string) =>
  readFindings(findings).some((one) => one.fault === name && one.found !== null);

if (fault === undefined) {
  await run(
    'tests/simulation/simulation.test.ts',
    situations ? 'keeps every promise|every situation' : 'keeps every promise',
  );
} else {
  const chosen = PLANTED.filter(({ name }) => new RegExp(fault).test(name));
  process.env.COUNTED = 'yes';
  if (!model)
    await run(
      SIMULATION,
      'sees which places',
      chosen.map(({ file }) => file),
    );
  process.env.COUNTED = '';
  for (const { name, file, foundBy } of chosen) {
    process.env.PLANTED = name;
    if (foundBy !== undefined) {
      const begin = performance.now();
      const found = (await run(foundBy, '', [file])) ? null : foundBy;
      const minutes = (performance.now() - begin) / 60_000;
      noteFinding({ fault: name, by: 'test', seed: '', minutes, isReached: null, isAnother: null, found });
      continue;
    }
    if (!isFound(name)) await run(model ? MODEL : SIMULATION, 'finds that', [file]);
  }
  process.stdout.write(`${tableOf(readFindings(findings))}\n`);
}
await vitest.close();
