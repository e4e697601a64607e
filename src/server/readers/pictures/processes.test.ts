import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { ownSockets, type ProcessJob, type Surroundings } from '#tests/fixtures/process.ts';
import { bundleOf } from '#tests/processes.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import { openProcesses, type Processes, type ProcessesOptions, type ProcessFailure } from './processes.ts';

const LIMIT_MS = 10_000;
const [SCRIPT, PROCESSES] = await Promise.all(
  ['#tests/fixtures/process.ts', '#server/readers/pictures/processes.ts'].map((name) =>
    bundleOf(fileURLToPath(import.meta.resolve(name))),
  ),
);
const OPTIONS: ProcessesOptions = {
  script: SCRIPT ?? '',
  processes: 1,
  timeLimitMs: LIMIT_MS,
  queueLimit: 8,
  heapMb: 64,
  memoryMb: 320,
  idleMs: 60_000,
};
let open: Processes<ProcessJob, string> | undefined;

afterEach(async () => {
  vi.useRealTimers();
  await open?.close();
});

function openTestProcesses(options: Partial<ProcessesOptions> = {}): Processes<ProcessJob, string> {
  open = openProcesses({ ...OPTIONS, ...options });
  return open;
}

const processOf = async (pool: Processes<ProcessJob, string>) => Number(await pool.run('who'));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('answers each job with its own answer', async () => {
  const pool = openTestProcesses({ processes: 2 });
  const words = ['one', 'two', 'three', 'four', 'five'];
  expect(await Promise.all(words.map((say) => pool.run({ say })))).toEqual(words);
});

it('ends hanging processes at the time limit, which waiting does not count towards, and runs the waiting jobs', async () => {
  const pool = openTestProcesses();
  const pid = await processOf(pool);
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
  expect(isAlive(pid)).toBe(false);
});

const ENDS = [
  ['by an error', 'crash', 'failed'],
  ['by an abort in native code', 'abort', 'died'],
  ['by leaving', 'leave', 'died'],
  ['of a full heap', 'eat memory', 'died'],
  ['by a kill', 'be killed', 'died'],
] as const;

it.each(shortOrLong(ENDS.slice(0, 2), ENDS))(
  'survives a process that ends %s, and tells of it',
  async (_, job, problem) => {
    const deaths: ProcessFailure[] = [];
    const pool = openTestProcesses({ onDeath: (failure) => deaths.push(failure) });
    const [dead, waiting] = [pool.run(job), pool.run({ say: 'next' })];
    await expect(dead).rejects.toMatchObject({ problem });
    expect(await waiting).toBe('next');
    expect(deaths).toMatchObject([{ problem }]);
  },
);

it('fails the job alone whose process is killed from outside, and serves those beside and behind it', async () => {
  const pool = openTestProcesses({ processes: 2 });
  const [first, second] = await Promise.all([processOf(pool), processOf(pool)]);
  const hung = pool.run('hang');
  const others = ['beside', 'behind'].map((say) => pool.run({ say }));
  process.kill(first, 'SIGKILL');
  await expect(hung).rejects.toMatchObject({ problem: 'died' });
  expect(await Promise.all(others)).toEqual(['beside', 'behind']);
  await expect.poll(() => [isAlive(first), isAlive(second)]).toEqual([false, true]);
});

it.runIf(process.platform === 'linux')('is refused memory beyond the limit by the kernel', async () => {
  const pool = openTestProcesses();
  await expect(pool.run({ reserve: 1_000 })).rejects.toMatchObject({
    problem: 'failed',
    cause: expect.stringContaining('allocation failed'),
  });
});

it('ends a process that occupies more memory than the limit', async () => {
  const pool = openTestProcesses({ memoryMb: 200 });
  await expect(pool.run({ hold: 150 })).rejects.toMatchObject({ problem: 'died', cause: 'SIGKILL' });
});

it('rests when processes die one after the other, and then goes on', async () => {
  const pool = openTestProcesses();
  const kill = () => pool.run('be killed').catch(({ problem }) => problem);
  expect(await kill()).toBe('died');
  const second = kill();
  await sleep(0);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await second).toBe('died');
  const later = vi.fn();
  const waiting = pool.run({ say: 'after the rest' }).then(later);
  const other = openProcesses<ProcessJob, string>(OPTIONS);
  await other.run({ say: 'started meanwhile' });
  await other.run({ say: 'and answered' });
  await other.close();
  expect(later).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(250);
  await waiting;
  expect(later).toHaveBeenCalledWith('after the rest');
});

it('ends a process that is idle for long, and starts another for the next job', async () => {
  const pool = openTestProcesses({ idleMs: 1 });
  const first = await processOf(pool);
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(await processOf(pool)).not.toBe(first);
});

it.runIf(process.platform === 'linux')('gives a process no settings and no sockets of ours', async () => {
  process.env.SECRET_KEY = 'not for the process';
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { env, sockets }: Surroundings = JSON.parse(await openTestProcesses().run('surroundings'));
    const ours = new Set(ownSockets());
    expect(env).not.toContain('SECRET_KEY');
    expect(env).not.toContain('PATH');
    expect(sockets.filter((socket) => ours.has(socket))).toEqual([]);
    expect(sockets.length).toBeLessThan(3);
  } finally {
    delete process.env.SECRET_KEY;
    server.close();
  }
});

it('goes on when the terminal signals the whole group: the server decides when it ends', async () => {
  const pool = openTestProcesses();
  const pid = await processOf(pool);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  await pool.run({ say: 'still' });
  expect(await processOf(pool)).toBe(pid);
});

it('leaves no process behind when the server is killed, even one that hangs', async () => {
  const program = `
    import { openProcesses } from '${PROCESSES}';
    const pool = openProcesses(${JSON.stringify({ ...OPTIONS, processes: 2 })});
    const idle = await pool.run('who');
    void pool.run('hang');
    console.log(JSON.stringify([idle, await pool.run('who')]));`;
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  const [line] = await once(server.stdout, 'data');
  const pids: number[] = JSON.parse(String(line)).map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  server.kill('SIGKILL');
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});

it('runs urgent jobs before waiting ones', async () => {
  const pool = openTestProcesses();
  const order: string[] = [];
  const run = async (say: string, urgent: boolean) => order.push(await pool.run({ say }, { urgent }));
  await Promise.all([run('running', false), run('waiting', false), run('urgent', true)]);
  expect(order).toEqual(['running', 'urgent', 'waiting']);
});

it('refuses a job at once when the queue is full', async () => {
  const pool = openTestProcesses({ queueLimit: 2 });
  const running = [pool.run({ say: 'a' }), pool.run({ say: 'b' }), pool.run({ say: 'c' })];
  await expect(pool.run({ say: 'd' })).rejects.toMatchObject({ problem: 'busy' });
  expect(await Promise.all(running)).toEqual(['a', 'b', 'c']);
});

it('fails running, waiting and later jobs when it is closed', async () => {
  const pool = openTestProcesses();
  const jobs = [pool.run('hang'), pool.run({ say: 'waiting' })];
  const settled = Promise.allSettled(jobs);
  await pool.close();
  expect(await settled).toMatchObject([{ reason: { problem: 'closed' } }, { reason: { problem: 'closed' } }]);
  await expect(pool.run({ say: 'late' })).rejects.toMatchObject({ problem: 'closed' });
});
