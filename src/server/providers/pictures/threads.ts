import { Worker } from 'node:worker_threads';

/** Why a job has no answer: the thread took too long or died, too many jobs wait, or the pool is closed. */
export type ThreadProblem = 'late' | 'crashed' | 'busy' | 'closed';

export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
  readonly problem: ThreadProblem;

  constructor(problem: ThreadProblem, options?: ErrorOptions) {
    super(`The thread did not answer: ${problem}`, options);
    this.problem = problem;
  }
}

export interface ThreadsOptions {
  /** The TypeScript file that the threads run: it posts 'ready' once, then one answer to each job. */
  readonly script: URL;
  readonly threads: number;
  /** Time limit for one job, in milliseconds, from the moment a thread starts it. */
  readonly timeLimitMs: number;
  /** How many jobs may wait for a thread; more are refused. */
  readonly queueLimit: number;
  /** The largest JavaScript heap of a thread, in megabytes. */
  readonly heapMb: number;
}

/** A pool of threads for work that may hang, crash or use too much memory. */
export interface Threads<Job, Answer> {
  /**
   * Runs a job in a thread; an urgent one goes before those that wait.
   * @throws ThreadFailure
   */
  run(job: Job, options?: { readonly urgent?: boolean }): Promise<Answer>;
  /** Ends the threads; running and waiting jobs fail as 'closed'. */
  close(): Promise<void>;
}

interface Task<Job, Answer> {
  readonly job: Job;
  resolve(answer: Answer): void;
  reject(failure: ThreadFailure): void;
}

interface Thread<Job, Answer> {
  readonly worker: Worker;
  task: Task<Job, Answer> | null;
  timer: NodeJS.Timeout | null;
}

/**
 * Time limit in milliseconds to load tsx and the modules: far more than needed, so that only a broken program
 * reaches it.
 */
const START_LIMIT_MS = 30_000;

/** Loads the script, which is TypeScript, in every Node version that we support. */
const LOADER = new URL('./thread.mjs', import.meta.url);

/**
 * Opens a pool. A thread is started when there is a job for it, and then kept. When it reaches the time limit or
 * dies, it is replaced. Idle threads do not keep the process alive.
 */
export function openThreads<Job, Answer>(options: ThreadsOptions): Threads<Job, Answer> {
  const queue: Task<Job, Answer>[] = [];
  const alive = new Set<Thread<Job, Answer>>();
  const ending = new Set<Promise<unknown>>();
  let closed = false;

  const start = (): Thread<Job, Answer> => {
    const worker = new Worker(LOADER, {
      workerData: { script: options.script.href },
      execArgv: [],
      // Code that reads strangers' files must not see our settings and keys.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
    });
    const thread: Thread<Job, Answer> = { worker, task: null, timer: null };
    let ready = false;
    worker.on('message', (message: unknown) => {
      if (ready) finish(thread, message as Answer);
      else {
        ready = true;
        limit(thread, options.timeLimitMs);
      }
    });
    worker.on('error', (cause) => end(thread, 'crashed', cause));
    worker.on('exit', () => end(thread, 'crashed'));
    alive.add(thread);
    return thread;
  };

  const limit = (thread: Thread<Job, Answer>, ms: number) => {
    if (thread.timer) clearTimeout(thread.timer);
    thread.timer = thread.task && setTimeout(() => end(thread, 'late'), ms);
  };

  const assign = (thread: Thread<Job, Answer>, task: Task<Job, Answer>, ms: number) => {
    thread.task = task;
    thread.worker.ref();
    limit(thread, ms);
    thread.worker.postMessage(task.job);
  };

  const finish = (thread: Thread<Job, Answer>, answer: Answer) => {
    const { task } = thread;
    thread.task = null;
    limit(thread, 0);
    thread.worker.unref();
    task?.resolve(answer);
    assignWaiting();
  };

  const end = (thread: Thread<Job, Answer>, problem: ThreadProblem, cause?: unknown) => {
    if (!alive.delete(thread)) return;
    const { task } = thread;
    thread.task = null;
    limit(thread, 0);
    const ended = thread.worker.terminate().finally(() => ending.delete(ended));
    ending.add(ended);
    task?.reject(new ThreadFailure(problem, { cause }));
    assignWaiting();
  };

  const assignWaiting = () => {
    while (queue.length > 0 && !closed) {
      const idle = [...alive].find((thread) => thread.task === null);
      if (!idle && alive.size >= options.threads) return;
      const task = queue.shift();
      if (!task) return;
      if (idle) assign(idle, task, options.timeLimitMs);
      else assign(start(), task, START_LIMIT_MS);
    }
  };

  return {
    run: (job, { urgent = false } = {}) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new ThreadFailure('closed'));
        if (queue.length >= options.queueLimit) return reject(new ThreadFailure('busy'));
        const task = { job, resolve, reject };
        if (urgent) queue.unshift(task);
        else queue.push(task);
        assignWaiting();
      }),
    close: async () => {
      closed = true;
      for (const task of queue.splice(0)) task.reject(new ThreadFailure('closed'));
      for (const thread of [...alive]) end(thread, 'closed');
      await Promise.all(ending);
    },
  };
}
