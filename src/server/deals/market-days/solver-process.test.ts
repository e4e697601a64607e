import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { wantLists } from '#tests/market/want-lists.ts';
import { solve } from './solve.ts';
import { solveInChild } from './solver-process.ts';

/** The processes that this one has started and that solve market days. */
function solvers(): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter(
    (line) => line.trim().startsWith(`${process.pid} `) && line.includes('solver-worker.js'),
  );
}

it('solves in a process as here, and ends it', async () => {
  const graph = wantLists({ people: 20, seed: 2 });
  const { signal } = new AbortController();
  expect(await solveInChild(graph, 'seed', signal)).toEqual(solve(graph, 'seed'));
  expect(solvers()).toEqual([]);
});

it('ends the process when it is told to stop', async () => {
  const abort = new AbortController();
  const solving = solveInChild(wantLists({ people: 1_000, seed: 2 }), 'seed', abort.signal);
  expect(solvers()).toHaveLength(1);
  abort.abort(new Error('The server stops'));
  await expect(solving).rejects.toThrow('The server stops');
  expect(solvers()).toEqual([]);
  await expect(solveInChild(wantLists({ people: 1, seed: 2 }), 'seed', abort.signal)).rejects.toThrow(
    'The server stops',
  );
});

it('tells what the process has failed of', async () => {
  const graph = { ...wantLists({ people: 2, seed: 2 }), takesGifts: [-1] };
  await expect(solveInChild(graph, 'seed', new AbortController().signal)).rejects.toMatchObject({
    problem: 'failed',
    cause: expect.stringContaining('no coupon or wish -1'),
  });
});
