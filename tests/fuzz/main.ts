import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleOf } from '../processes.ts';
import type { Target } from './target.ts';
import { TARGETS } from './targets.ts';

/**
 * `npm run fuzz` searches for inputs that a parser fails at; which ways of the code an input takes guides it. `--target
 * name` is one parser, `--seconds 60` how long for each. It ends with status 1 when it has found something.
 */
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '60' },
  },
});

const SECONDS = Number(values.seconds);
if (!Number.isInteger(SECONDS) || SECONDS < 1) throw new Error('--seconds has to be a whole number');

/** One input may take so long; what takes longer is a finding. */
const INPUT_MS = 60_000;
/** A search may need so much longer than it was given: to start, and for its last input. */
const SPARE_MS = 120_000;
const MAX_LENGTH = 4_096;
const MEMORY_MB = 2_048;

const require = createRequire(import.meta.url);
const JAZZER = path.join(path.dirname(require.resolve('@jazzer.js/core')), 'cli.js');

const say = (line: string) => void process.stdout.write(`${line}\n`);

interface Search {
  readonly executions: number;
  readonly perSecond: number;
  /** Ways of the code that were taken. */
  readonly ways: number;
  readonly finding: string | null;
}

/** Runs a search in a process of its own. @returns its last words, and whether it has ended by itself without a finding */
async function run(target: Target, args: readonly string[]): Promise<{ said: string; isQuiet: boolean }> {
  const includes = ['dist/tests/', ...(target.packages ?? []).map((name) => `node_modules/${name}/`)];
  const bundle = await bundleOf(path.resolve(import.meta.dirname, './search.ts'));
  const options = ['--timeout', String(INPUT_MS), '--disableBugDetectors', 'path-traversal', '--', ...args];
  const child = spawn(
    process.execPath,
    [JAZZER, bundle, ...includes.flatMap((part) => ['-i', part]), ...options],
    { env: { PATH: process.env.PATH, FUZZ_TARGET: target.name }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const watch = setTimeout(() => child.kill('SIGKILL'), SECONDS * 1_000 + SPARE_MS);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-200_000)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(watch);
  if (/version `GLIBC_[\d.]+' not found/.test(said))
    throw new Error(
      'Jazzer.js needs a newer C library: Debian 13, Ubuntu 24.04, or the image node:20-trixie',
    );
  return { said, isQuiet: code === 0 };
}

/** Searches for a while. Inputs that take new ways are put into `folder`. */
async function search(target: Target, folder: string): Promise<Search> {
  const { said, isQuiet } = await run(target, [
    folder,
    `-max_total_time=${SECONDS}`,
    `-max_len=${MAX_LENGTH}`,
    `-rss_limit_mb=${MEMORY_MB}`,
    `-artifact_prefix=${folder}.`,
  ]);
  const numbers = [...said.matchAll(/^#(\d+)\s.*\bcov: (\d+).*\bexec\/s: (\d+)/gm)].at(-1);
  const [, executions = '0', ways = '0', perSecond = '0'] = numbers ?? [];
  const error = /^(?:==\d+== )?(?:Uncaught Exception|ERROR: |.*Error:).*$/m.exec(said)?.[0];
  const file = /Test unit written to (\S+)/.exec(said)?.[1];
  const finding = isQuiet ? null : `${error ?? said.slice(-400)}${file ? ` (${file})` : ''}`;
  return { executions: Number(executions), perSecond: Number(perSecond), ways: Number(ways), finding };
}

let isFound = false;
const chosen = TARGETS.filter(({ name }) => !values.target || values.target.includes(name));
if (chosen.length === 0)
  throw new Error(`There is no such target: ${TARGETS.map(({ name }) => name).join(', ')}`);
say('| parser | executions | a second | ways | found |\n| --- | ---: | ---: | ---: | --- |');
for (const target of chosen) {
  const folder = path.resolve(import.meta.dirname, '../../dist/fuzz', target.name);
  if (!existsSync(folder)) await mkdir(folder, { recursive: true });
  for (const seed of target.seeds)
    await writeFile(path.join(folder, createHash('sha1').update(seed).digest('hex')), seed);
  const { executions, perSecond, ways, finding } = await search(target, folder);
  isFound ||= finding !== null;
  say(`| ${target.name} | ${executions} | ${perSecond} | ${ways} | ${finding ?? 'nothing'} |`);
}
process.exitCode = isFound ? 1 : 0;
