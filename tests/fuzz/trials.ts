import { parentPort, workerData } from 'node:worker_threads';
import { seeded } from '../fixtures/codes.ts';
import { changedInput, longInputs } from './inputs.ts';
import { PLANTED } from './planted.ts';
import type { Target } from './target.ts';
import { TARGETS } from './targets.ts';

/** What a thread tries. */
export interface Work {
  /** How many changed inputs each target gets. */
  readonly changes: number;
  /** Inputs that cost less of a processor, in milliseconds, are not compared with shorter ones. */
  readonly cheapMs: number;
  readonly isPlanted: boolean;
}

/** What a thread says: what it begins with, or what went wrong. */
export interface Said {
  readonly target: string;
  /** The input, cut. */
  readonly input: string;
  /** Null while it is tried. */
  readonly problem: string | null;
}

const { changes, cheapMs, isPlanted }: Work = workerData;

/** Parses an input. @returns what it costs of a processor in milliseconds, however busy the machine is */
async function parse(target: Target, input: Buffer): Promise<number> {
  const about = { target: target.name, input: JSON.stringify(input.toString('latin1', 0, 200)) };
  parentPort?.postMessage({ ...about, problem: null } satisfies Said);
  const before = process.cpuUsage();
  try {
    await target.parse(input);
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ ...about, problem } satisfies Said);
  }
  return process.cpuUsage(before).user / 1_000;
}

/** How much shorter the other input is, and how much cheaper it has to be at least: half as much as with an even growth. */
const [SHORTER, CHEAPER] = [4, 8];

/** Whether the cost grows faster than the length, in three attempts. */
async function growsTooFast(target: Target, inputOf: (length: number) => Buffer): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const cost = await parse(target, inputOf(target.longest));
    if (cost < cheapMs) return false;
    const short = await parse(target, inputOf(Math.floor(target.longest / SHORTER)));
    if (cost < short * CHEAPER) return false;
  }
  return true;
}

for (const target of isPlanted ? PLANTED : TARGETS) {
  const known = target.seeds.map((seed) => Buffer.from(seed));
  for (const input of known) await parse(target, input);
  for (const inputOf of longInputs(target)) {
    if (!(await growsTooFast(target, inputOf))) continue;
    const input = JSON.stringify(inputOf(200).toString('latin1', 0, 200));
    parentPort?.postMessage({ target: target.name, input, problem: 'grows too fast' } satisfies Said);
  }
  const random = seeded(1);
  for (let change = 0; change < changes; change += 1)
    await parse(target, changedInput(known, target.parts, random));
}
