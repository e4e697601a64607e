import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { HANGS_MS } from '#tests/support/patience.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { bundleOf } from '../processes.ts';
import { TARGETS } from './targets.ts';
import type { Said, Work } from './trials.ts';

const TRIALS = path.resolve(import.meta.dirname, 'trials.ts');

/** Tries all inputs in a thread, which is ended when one of them takes longer than `patienceMs`. */
async function tryAll(work: Work, patienceMs: number): Promise<{ problems: Said[]; tried: Set<string> }> {
  const problems: Said[] = [];
  const tried = new Set<string>();
  const thread = new Worker(await bundleOf(TRIALS), { workerData: work });
  let last: Said | null = null;
  const end = () => {
    if (last) problems.push({ ...last, problem: 'hangs' });
    void thread.terminate();
  };
  // Until its first input it loads all parsers.
  let watch = setTimeout(end, HANGS_MS);
  thread.on('message', (said: Said) => {
    clearTimeout(watch);
    watch = setTimeout(end, patienceMs);
    last = said;
    tried.add(said.target);
    if (said.problem !== null) problems.push(said);
  });
  await once(thread, 'exit');
  clearTimeout(watch);
  return { problems, tried };
}

const CHANGES = shortOrLong(30, 3_000);

it('reads what others wrote without a fault, and in the time that its length deserves', async () => {
  const work = { changes: CHANGES, cheapMs: 1_000, isPlanted: false };
  const { problems, tried } = await tryAll(work, HANGS_MS);
  expect(problems).toEqual([]);
  expect([...tried]).toEqual(TARGETS.map(({ name }) => name));
});

it('would notice an error, a broken promise, a cost that grows too fast, and a hang', async () => {
  const { problems } = await tryAll({ changes: CHANGES, cheapMs: 20, isPlanted: true }, 3_000);
  const found = new Set(problems.map(({ target }) => target));
  expect([...found].sort()).toEqual(['breaks a promise', 'grows', 'hangs', 'rejects', 'throws']);
});
