import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { chance, choose } from './choices.ts';

/** Thrown by an act whose program has died: whoever waits for it gets no answer, ever. */
export class ProgramDied extends Error {}

interface Given {
  /** For people who read the history. */
  readonly label: string;
  /** What may go wrong with it. */
  readonly faults: readonly string[];
  /** How many times as often as others it fails; 1 unless said. */
  readonly fragility?: number;
  /** The backend of the database that it happens in. */
  readonly backend?: number;
  /** Whether the program that waits for it has died. */
  readonly isOver?: () => boolean;
}

/** Something that waits until it is chosen: a statement of the database, a request to a provider, a mail. */
interface Step extends Given {
  readonly task: Task;
  /** The smallest number goes next. */
  readonly order: number;
  readonly fault: string | null;
  run(): void;
}

/** What one person, job or webhook does in one go. */
interface Task {
  readonly name: string;
  steps: number;
  readonly waiting: Set<Step>;
  readonly inFlight: Set<Step>;
  readonly backends: Set<number>;
  /** What it does that is no step, such as opening a connection. */
  busy: number;
  isDone: boolean;
}

export interface SchedulerOptions {
  readonly seed: number;
  /** The part of the steps that fail, from 0 to 1. */
  readonly faultRate: () => number;
  /** How many statements wait for a lock in the database, and the backends that have those locks. */
  readonly locks: () => Promise<{ readonly blocked: number; readonly holders: readonly number[] }>;
  /** Requests between a client and a server of this process. */
  readonly wire: { readonly isBusy: () => boolean; readonly forget: () => void };
  /** Called before each step. */
  readonly tick: () => void;
  /** Gets one line for each step. */
  readonly note: (line: string) => void;
}

export type Scheduler = ReturnType<typeof createScheduler>;

/** After so many turns of the event loop without an end, the database is asked who waits for whom. */
const PATIENT_TURNS = 40;
/** A task that has no step for so long waits for what another one has begun, such as a token for both. */
const ON_ANOTHER_MS = 2_000;
/** A branch of a task that has no next step after so long has ended. */
const BRANCH_MS = 20;
const STUCK_MS = 300_000;
/** A task with more steps does not end. */
const STEPS_MAX = 5_000;

/**
 * Lets one step happen at a time. All that a program under test waits for comes here as a step, and the next one is chosen
 * when every task waits. Which one it is, and whether it fails, is decided by the seed alone.
 */
export function createScheduler(options: SchedulerOptions) {
  const { seed, wire } = options;
  const current = new AsyncLocalStorage<Task>();
  const tasks = new Set<Task>();
  /** Whose step was the last one: what arrives from a socket follows from it. */
  let latest: Task | null = null;
  /** How many steps have come to wait. */
  let arrived = 0;
  let faults = 0;
  /** The backends whose locks others wait for. */
  let holders: readonly number[] = [];

  /** Waits until it is chosen, then acts. @param act gets what goes wrong; null: nothing does */
  function step<Result>(given: Given, act: (fault: string | null) => Promise<Result>): Promise<Result> {
    const task = current.getStore() ?? latest;
    if (!task) return act(null);
    task.steps += 1;
    if (task.steps > STEPS_MAX) throw new Error(`${task.name} does not end: ${given.label}`);
    const { name, steps: index } = task;
    const rate = options.faultRate() * (given.fragility ?? 1);
    const fails = given.faults.length > 0 && chance(seed, 'fault', name, index) < rate;
    const fault = fails ? choose(chance(seed, 'which fault', name, index), given.faults) : null;
    return new Promise<Result>((resolve, reject) => {
      const one: Step = {
        ...given,
        ...{ task, fault, order: chance(seed, 'order', name, index) },
        run() {
          task.inFlight.add(one);
          act(fault).then(
            (result) => {
              task.inFlight.delete(one);
              resolve(result);
            },
            (error: unknown) => {
              task.inFlight.delete(one);
              if (!(error instanceof ProgramDied)) reject(error);
            },
          );
        },
      };
      task.waiting.add(one);
      if (given.backend !== undefined) task.backends.add(given.backend);
      arrived += 1;
    });
  }

  /** Does something that is no step, as nothing depends on when it happens; the next step waits for its end. */
  async function besides<Result>(act: () => Promise<Result>): Promise<Result> {
    const task = current.getStore() ?? latest;
    if (!task) return act();
    task.busy += 1;
    try {
      return await act();
    } finally {
      task.busy -= 1;
    }
  }

  /** Waits until every task has ended, or waits for its turn or for a lock. */
  async function untilQuiet(): Promise<void> {
    const before = arrived;
    holders = [];
    /** One of several branches of the latest task may be on its way to its next step. */
    const mayBranch = () => latest !== null && !latest.isDone && arrived === before;
    for (let turn = 1; ; turn += 1) {
      await setImmediate();
      let inFlight = 0;
      let isBusy = false;
      let areAllWaiting = true;
      for (const task of tasks) {
        for (const one of task.waiting) if (one.isOver?.()) task.waiting.delete(one);
        inFlight += task.inFlight.size;
        isBusy ||= task.busy > 0;
        areAllWaiting &&= task.isDone || task.waiting.size + task.inFlight.size > 0;
      }
      const isOver = areAllWaiting && inFlight === 0 && !mayBranch();
      if (!isBusy && !wire.isBusy() && isOver) return;
      if (turn <= PATIENT_TURNS) continue;
      if (turn === STUCK_MS) throw new Error(`These tasks are stuck: ${stuck()}`);
      const patience = areAllWaiting ? BRANCH_MS : ON_ANOTHER_MS;
      const isPatient = turn > PATIENT_TURNS + patience || (areAllWaiting && inFlight > 0);
      const mayGoOn = !isBusy && isPatient && (areAllWaiting || next() !== null);
      if (mayGoOn) wire.forget();
      if (mayGoOn && inFlight === 0) return;
      if (mayGoOn) {
        const locks = await options.locks();
        if (locks.blocked === inFlight) {
          ({ holders } = locks);
          return;
        }
      }
      await sleep(1);
    }
  }

  const stuck = () =>
    [...tasks]
      .filter(({ isDone }) => !isDone)
      .map(({ name, waiting, inFlight }) => `${name} (${waiting.size} waiting, ${inFlight.size} under way)`)
      .join(', ');

  function start(name: string, work: () => Promise<unknown>) {
    const task: Task = {
      name,
      steps: 0,
      waiting: new Set(),
      inFlight: new Set(),
      backends: new Set(),
      busy: 0,
      isDone: false,
    };
    tasks.add(task);
    latest = task;
    let failure: { readonly error: unknown } | undefined;
    current
      .run(task, work)
      .catch((error: unknown) => {
        failure = { error };
      })
      .finally(() => {
        task.isDone = true;
      });
    return () => {
      if (failure) throw failure.error;
    };
  }

  /**
   * The step that goes next; null when none waits. While somebody waits for a lock, whoever has it goes on: of two who wait
   * for one row, PostgreSQL lets either be first.
   */
  function next(): Step | null {
    const all = [...tasks];
    const having = all.filter(({ backends }) => holders.some((one) => backends.has(one)));
    return firstOf(having) ?? firstOf(all);
  }

  function firstOf(some: readonly Task[]): Step | null {
    let first: Step | null = null;
    for (const { waiting } of some)
      for (const one of waiting) if (first === null || one.order < first.order) first = one;
    return first;
  }

  return {
    step,
    /** How many steps have failed. */
    faults: () => faults,
    besides,
    /** Does what a socket has brought as a part of the task that has sent it. */
    adopt: <Result>(act: () => Result): Result => (latest ? current.run(latest, act) : act()),
    /** Runs these tasks at once until each has ended. @throws what one of them throws */
    async run(works: readonly { readonly name: string; readonly work: () => Promise<unknown> }[]) {
      const ends: (() => void)[] = [];
      try {
        for (const { name, work } of works) {
          ends.push(start(name, work));
          await untilQuiet();
        }
        for (;;) {
          const one = next();
          if (one) {
            latest = one.task;
            if (one.fault !== null) faults += 1;
            one.task.waiting.delete(one);
            options.tick();
            options.note(`${one.task.name}: ${one.label}${one.fault === null ? '' : ` (${one.fault})`}`);
            one.run();
          } else if ([...tasks].every(({ isDone }) => isDone)) break;
          await untilQuiet();
        }
      } finally {
        tasks.clear();
        latest = null;
      }
      for (const end of ends) end();
    },
    /** Ends tasks without an answer, as their program has died. */
    abandon(isOfDead: (taskName: string) => boolean): void {
      for (const task of tasks) if (isOfDead(task.name)) task.isDone = true;
    },
  };
}
