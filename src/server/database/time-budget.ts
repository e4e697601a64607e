import { AsyncLocalStorage } from 'node:async_hooks';

/** How long a caller may wait for the database, in milliseconds. */
interface Budget {
  /** The time left for one more statement that may take `limit`; undefined means any time. */
  left(limit: number): number | undefined;
  wait<Result>(act: () => Promise<Result>): Promise<Result>;
}

/** The budget of a request: short waits add up, and overlapping ones count once. */
interface RequestBudget extends Budget {
  lift(): void;
}

const budgets = new AsyncLocalStorage<Budget | RequestBudget>();

function createRequestBudget(): RequestBudget {
  let waiting = 0;
  let since = 0;
  let before = 0;
  let isLifted = false;
  const spent = () => before + (waiting > 0 ? performance.now() - since : 0);
  return {
    left: (limit) => (isLifted ? limit : limit - spent()),
    lift() {
      isLifted = true;
    },
    async wait(act) {
      if (waiting === 0) since = performance.now();
      waiting += 1;
      try {
        return await act();
      } finally {
        const sum = spent();
        waiting -= 1;
        if (waiting === 0) before = sum;
      }
    },
  };
}

/** Runs a request. All its waits for the database together may take as long as one statement. */
export function withRequestBudget<Result>(work: () => Result): Result {
  return budgets.run(createRequestBudget(), work);
}

/** Lifts the limit for the rest of this request, so that an answer that has begun, such as an export, goes on. */
export function liftRequestBudget(): void {
  const budget = budgets.getStore();
  if (budget && 'lift' in budget) budget.lift();
}

/**
 * Runs `work` with another limit for each statement. Null removes the limit in its transactions; a number has to be set
 * at the server as well.
 */
export function withStatementLimit<Result>(ms: number | null, work: () => Result): Result {
  return budgets.run({ left: () => ms ?? undefined, wait: (act) => act() }, work);
}

/** Whether statements may take any time here. */
export function isUnlimited(): boolean {
  const budget = budgets.getStore();
  return budget !== undefined && budget.left(0) === undefined;
}

/** Waits for the database within the time budget of the current work. @param act gets the milliseconds left */
export function waitWithin<Result>(
  limit: number,
  act: (left: number | undefined) => Promise<Result>,
): Promise<Result> {
  const budget = budgets.getStore();
  return budget ? budget.wait(() => act(budget.left(limit))) : act(limit);
}
