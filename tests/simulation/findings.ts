import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** How a seed ends without a fault, and how often it reaches the place of each. */
export interface SeenSeed {
  /** A seed of the simulation, or a mix of the model. */
  readonly seed: string;
  readonly minutes: number;
  /** What is broken without a fault: such a seed finds nothing. */
  readonly broken: string | null;
  readonly reached: Readonly<Record<string, number>>;
  /** Hashes of the history and of what is stored at its end. */
  readonly history: string;
  readonly contents: string;
}

/** What became of a fault. */
export interface Finding {
  readonly fault: string;
  readonly by: 'simulation' | 'model' | 'test';
  /** The one that found it, else those that were tried. */
  readonly seed: string;
  readonly minutes: number;
  /** Whether its place runs in any of the seeds; null: nobody has counted. */
  readonly isReached: boolean | null;
  /** Whether a seed went otherwise with it than without; null: nobody has compared. */
  readonly isAnother: boolean | null;
  /** The promise that is broken; null: none was. */
  readonly found: string | null;
}

/** The folder in which the tests of one command leave what they saw; null: no command asks. */
const folder = () => process.env.FINDINGS ?? null;

const KINDS = { seeds: 'seeds', findings: 'findings' } as const;

function append(kind: keyof typeof KINDS, line: SeenSeed | Finding): void {
  if (folder() !== null) appendFileSync(`${folder()}/${KINDS[kind]}`, `${JSON.stringify(line)}\n`);
}

function readAll<Line>(kind: keyof typeof KINDS, from: string | null): Line[] {
  const file = `${from}/${KINDS[kind]}`;
  if (from === null || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

export const noteSeed = (seen: SeenSeed) => append('seeds', seen);
export const noteFinding = (finding: Finding) => append('findings', finding);
export const readSeeds = () => readAll<SeenSeed>('seeds', folder());
export const readFindings = (from: string) => readAll<Finding>('findings', from);

/** The numbers of some seeds: `7` or `1-1000`. */
export function seedsOf(text: string): number[] {
  const [first = 1, last = first] = text.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The seeds that can find a fault, those first that reach its place most often for their time. */
export const seedsFor = (fault: string, seeds: readonly SeenSeed[]): readonly SeenSeed[] =>
  seeds
    .filter(({ broken, reached }) => broken === null && (reached[fault] ?? 0) > 0)
    .toSorted((one, other) => rate(other, fault) - rate(one, fault));

const rate = ({ reached, minutes }: SeenSeed, fault: string) => (reached[fault] ?? 0) / minutes;

const yesOrNo = (said: boolean | null) => (said === null ? '' : said ? 'yes' : 'no');

/** The last that is known of each fault, found before not found, as a table for the documentation. */
export function tableOf(findings: readonly Finding[]): string {
  const best = new Map<string, Finding>();
  for (const one of findings) {
    const before = best.get(one.fault);
    if (!before || before.found === null) {
      const isReached = one.isReached ?? before?.isReached ?? null;
      best.set(one.fault, { ...one, isReached, isAnother: one.isAnother ?? before?.isAnother ?? null });
    }
  }
  const rows = [...best.values()].map(({ fault, by, seed, minutes, isReached, isAnother, found }) => {
    const asked = found !== null || isAnother === null ? '' : isAnother ? 'no' : 'the same without it';
    const what = found === null ? 'not found' : by === 'test' ? found : `${by}: ${found.split(/[:\n]/)[0]}`;
    return `| ${[fault, seed, minutes.toFixed(1), yesOrNo(isReached), found === null ? asked : 'yes', what].join(' | ')} |`;
  });
  return [
    '| fault | seed | minutes | reached | asked | found by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
