import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { endOfRun } from './job.ts';

/** Clears up memory, as happens at any time. */
function clearUp(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

it('ends a run in time, also when memory is cleared up meanwhile', async () => {
  const end = endOfRun(new AbortController().signal, 100);
  const began = performance.now();
  // As a repeated job waits.
  while (!end.aborted && performance.now() - began < 2_000) {
    clearUp();
    await sleep(20, undefined, { signal: end }).catch(() => {});
  }
  expect(end.aborted).toBe(true);
});

it('ends a run when the program stops', () => {
  const stopping = new AbortController();
  const end = endOfRun(stopping.signal, 60_000);
  expect(end.aborted).toBe(false);
  stopping.abort();
  expect(end.aborted).toBe(true);
  expect(endOfRun(stopping.signal).aborted).toBe(true);
});
