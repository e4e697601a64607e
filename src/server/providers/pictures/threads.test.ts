import { afterEach, expect, it, vi } from 'vitest';
import type { ThreadJob } from '../../../../tests/fixtures/thread.ts';
import { openThreads, type Threads, type ThreadsOptions } from './threads.ts';

const LIMIT_MS = 10_000;
let open: Threads<ThreadJob, string> | undefined;

afterEach(async () => {
  vi.useRealTimers();
  await open?.close();
});

function openTestThreads(options: Partial<ThreadsOptions> = {}): Threads<ThreadJob, string> {
  const script = new URL('../../../../tests/fixtures/thread.ts', import.meta.url);
  open = openThreads({ script, threads: 1, timeLimitMs: LIMIT_MS, queueLimit: 8, heapMb: 64, ...options });
  return open;
}

it('answers each job with its own answer', async () => {
  const pool = openTestThreads({ threads: 2 });
  const words = ['one', 'two', 'three', 'four', 'five'];
  expect(await Promise.all(words.map((say) => pool.run({ say })))).toEqual(words);
});

it('ends a hanging thread at the time limit, and runs the waiting jobs', async () => {
  const pool = openTestThreads();
  await pool.run({ say: 'ready' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hung = expect(pool.run('hang')).rejects.toMatchObject({ name: 'ThreadFailure', problem: 'late' });
  const waiting = [pool.run({ say: 'first' }), pool.run({ say: 'second' })];
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  await hung;
  expect(await Promise.all(waiting)).toEqual(['first', 'second']);
});

it('does not count waiting time towards a job’s time limit', async () => {
  const pool = openTestThreads();
  await pool.run({ say: 'ready' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const problems: unknown[] = [];
  const hang = () => pool.run('hang').catch(({ problem }) => problems.push(problem));
  const hung = [hang(), hang()];
  const waiting = pool.run({ say: 'still here' });
  for (let ended = 1; ended <= hung.length; ended += 1) {
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(LIMIT_MS);
        return problems.length;
      })
      .toBe(ended);
  }
  expect(problems).toEqual(['late', 'late']);
  expect(await waiting).toBe('still here');
});

it.each(['crash', 'leave', 'eat memory'] as const)('survives a thread that dies: %s', async (job) => {
  const pool = openTestThreads();
  await expect(pool.run(job)).rejects.toMatchObject({ problem: 'crashed' });
  expect(await pool.run({ say: 'next' })).toBe('next');
});

it('runs urgent jobs before waiting ones', async () => {
  const pool = openTestThreads();
  const order: string[] = [];
  const run = async (say: string, urgent: boolean) => order.push(await pool.run({ say }, { urgent }));
  await Promise.all([run('running', false), run('waiting', false), run('urgent', true)]);
  expect(order).toEqual(['running', 'urgent', 'waiting']);
});

it('refuses a job at once when the queue is full', async () => {
  const pool = openTestThreads({ queueLimit: 2 });
  const running = [pool.run({ say: 'a' }), pool.run({ say: 'b' }), pool.run({ say: 'c' })];
  await expect(pool.run({ say: 'd' })).rejects.toMatchObject({ problem: 'busy' });
  expect(await Promise.all(running)).toEqual(['a', 'b', 'c']);
});

it('fails running, waiting and later jobs when it is closed', async () => {
  const pool = openTestThreads();
  const jobs = [pool.run('hang'), pool.run({ say: 'waiting' })];
  const settled = Promise.allSettled(jobs);
  await pool.close();
  expect(await settled).toMatchObject([{ reason: { problem: 'closed' } }, { reason: { problem: 'closed' } }]);
  await expect(pool.run({ say: 'late' })).rejects.toMatchObject({ problem: 'closed' });
});
