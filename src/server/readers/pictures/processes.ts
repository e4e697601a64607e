import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from '#server/core/root.ts';

/**
 * Why a job has no answer: the script threw an error, the process took too long or died, too many jobs wait, or the pool
 * is closed.
 */
export type ProcessProblem = 'failed' | 'late' | 'died' | 'busy' | 'closed';

export class ProcessFailure extends Error {
  override readonly name = 'ProcessFailure';
  readonly problem: ProcessProblem;

  constructor(problem: ProcessProblem, options?: ErrorOptions) {
    super(`The process did not answer: ${problem}`, options);
    this.problem = problem;
  }
}

export interface ProcessesOptions {
  /** The path of the file that the processes load. Its `answer` answers one job. */
  readonly script: string;
  readonly processes: number;
  /** Time limit for one job, in milliseconds, from the moment a process starts it. */
  readonly timeLimitMs: number;
  /** How many jobs may wait for a process; more are refused. */
  readonly queueLimit: number;
  /** The largest JavaScript heap of a process, in megabytes. */
  readonly heapMb: number;
  /** The most memory that a process may occupy in all, in megabytes. */
  readonly memoryMb: number;
  /** How long a process without a job is kept, in milliseconds. */
  readonly idleMs: number;
  /** Called when a process ends that nobody has ended. */
  readonly onDeath?: (failure: ProcessFailure) => void;
}

/** A pool of processes for work that may hang, crash in native code or use too much memory. */
export interface Processes<Job, Answer> {
  /**
   * Runs a job in a process; an urgent one goes before those that wait.
   * @throws ProcessFailure
   */
  run(job: Job, options?: { readonly urgent?: boolean }): Promise<Answer>;
  /** Ends the processes; running and waiting jobs fail as 'closed'. */
  close(): Promise<void>;
}

/** What a process tells: first that it is ready, then an answer or failure for each job. */
export type Message<Answer> =
  | { readonly ready: true }
  | { readonly answer: Answer }
  | { readonly failure: string };

interface Task<Job, Answer> {
  readonly job: Job;
  resolve(answer: Answer): void;
  reject(failure: ProcessFailure): void;
}

interface Running<Job, Answer> {
  readonly child: ChildProcess;
  task: Task<Job, Answer> | null;
  /** Ends the process: during a job at its time limit, else when nothing has come for long. */
  timer: NodeJS.Timeout | null;
}

/** Time limit in milliseconds to load the modules: far more than needed, so that only a broken program reaches it. */
const START_LIMIT_MS = 30_000;

/** After a second death without an answer in between, the pool rests this long, and twice as long after each further. */
const REST_MS = 250;
const LONGEST_REST_MS = 8_000;

/** Settings of the machine. Code that reads strangers' files must not see ours: they hold keys. */
const PASSED_ON = ['LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR'];

/**
 * Linux counts private memory that is reserved for use, touched or not (`ulimit -d`), such as the stacks of threads; so
 * this limit is above that of occupied memory.
 */
const RESERVED_SHARE = 1.5;
/** V8 reserves this for compiled code, in megabytes. Linux counts it from Node 24 on. */
const CODE_MB = 512;

/**
 * Before the program: the kernel limits its memory, ends it first when the machine has none left, and writes no dump,
 * which would contain pictures.
 */
const LIMITED = 'echo 1000 2>&- >/proc/self/oom_score_adj; ulimit -c 0; ulimit -d "$0"; exec "$@"';

/** Bundled, as is all that it loads (scripts/build/build-server.ts), wherever this module runs from. */
const CHILD = path.join(ROOT, 'dist/server/pictures/child.js');

/**
 * Opens a pool. A process is started when there is a job for it, and ended when it is idle for long. When it reaches the
 * time limit or dies, it is replaced. Idle processes do not keep this one alive, and end with it.
 */
export function openProcesses<Job, Answer>(options: ProcessesOptions): Processes<Job, Answer> {
  const queue: Task<Job, Answer>[] = [];
  const alive = new Set<Running<Job, Answer>>();
  const ending = new Set<Promise<unknown>>();
  /** In a row, without an answer in between. */
  let deaths = 0;
  let rest: NodeJS.Timeout | null = null;
  let closed = false;

  const start = (): Running<Job, Answer> => {
    const child = spawnChild(options);
    const running: Running<Job, Answer> = { child, task: null, timer: null };
    let isReady = false;
    child.on('message', (message: Message<Answer>) => {
      if ('ready' in message) {
        isReady = true;
        limit(running, options.timeLimitMs);
      } else if ('answer' in message) finish(running, message.answer);
      else die(running, 'failed', message.failure);
    });
    child.on('error', (cause) => die(running, 'died', cause));
    child.on('exit', (code, signal) =>
      die(running, 'died', `${signal ?? code}${isReady ? '' : ' at its start'}`),
    );
    alive.add(running);
    return running;
  };

  const limit = (running: Running<Job, Answer>, ms: number) => {
    if (running.timer) clearTimeout(running.timer);
    running.timer = setTimeout(() => end(running, 'late'), ms);
    if (!running.task) running.timer.unref();
  };

  const assign = (running: Running<Job, Answer>, task: Task<Job, Answer>, ms: number) => {
    running.task = task;
    hold(running.child, true);
    limit(running, ms);
    // One that could not be started has no channel. An error is followed by the end of the process.
    if (running.child.connected) running.child.send({ job: task.job }, () => {});
  };

  const finish = (running: Running<Job, Answer>, answer: Answer) => {
    const { task } = running;
    deaths = 0;
    running.task = null;
    limit(running, options.idleMs);
    hold(running.child, false);
    task?.resolve(answer);
    assignWaiting();
  };

  const die = (running: Running<Job, Answer>, problem: ProcessProblem, cause?: unknown) => {
    if (!alive.has(running)) return;
    deaths += 1;
    if (deaths > 1 && !rest) {
      const ms = Math.min(REST_MS * 2 ** (deaths - 2), LONGEST_REST_MS);
      rest = setTimeout(() => {
        rest = null;
        assignWaiting();
      }, ms);
    }
    options.onDeath?.(new ProcessFailure(problem, { cause }));
    end(running, problem, cause);
  };

  const end = (running: Running<Job, Answer>, problem: ProcessProblem, cause?: unknown) => {
    if (!alive.delete(running)) return;
    const { child, task } = running;
    if (running.timer) clearTimeout(running.timer);
    running.task = null;
    const ended = killed(child).finally(() => ending.delete(ended));
    ending.add(ended);
    task?.reject(new ProcessFailure(problem, { cause }));
    assignWaiting();
  };

  const assignWaiting = () => {
    while (queue.length > 0 && !closed) {
      const idle = [...alive].find(({ task }) => task === null);
      if (!idle && (rest || alive.size >= options.processes)) return;
      const task = queue.shift();
      if (!task) return;
      if (idle) assign(idle, task, options.timeLimitMs);
      else assign(start(), task, START_LIMIT_MS);
    }
  };

  return {
    run: (job, { urgent = false } = {}) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new ProcessFailure('closed'));
        if (queue.length >= options.queueLimit) return reject(new ProcessFailure('busy'));
        const task = { job, resolve, reject };
        if (urgent) queue.unshift(task);
        else queue.push(task);
        assignWaiting();
      }),
    close: async () => {
      closed = true;
      if (rest) clearTimeout(rest);
      for (const task of queue.splice(0)) task.reject(new ProcessFailure('closed'));
      for (const running of [...alive]) end(running, 'closed');
      await Promise.all(ending);
    },
  };
}

function spawnChild({ script, heapMb, memoryMb }: ProcessesOptions): ChildProcess {
  const program = [
    ...[process.execPath, `--max-old-space-size=${heapMb}`, CHILD],
    ...[script, String(process.pid), String(memoryMb)],
  ];
  const reservedKb = String((memoryMb * RESERVED_SHARE + CODE_MB) * 1024);
  const [command = '', ...given] =
    process.platform === 'linux' ? ['/bin/sh', '-c', LIMITED, reservedKb, ...program] : program;
  return spawn(command, given, {
    env: Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
}

/** Whether the child keeps this process alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  hold(child, true);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
