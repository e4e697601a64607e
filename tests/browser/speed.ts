import type { Page } from 'playwright-core';

/** One event of Chromium's trace; times in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** The CPU time of the thread: what other programs take from the processor is not in it. */
  readonly tdur?: number;
}

/** How often the loop goes round in about 25 ms on a developer's machine. */
const ROUNDS = 5_000_000;

/** Runs in the page: a task that takes as long on every machine as the page's own work of 25 ms there, about. */
const loop = (rounds: number) =>
  new Promise((resolve) => {
    setTimeout(() => {
      let sum = 0;
      for (let i = 0; i < rounds; i += 1) sum = (sum * 31 + i) % 1_000_003;
      resolve(sum);
    }, 0);
  });

/**
 * Measures how long acts keep a page busy at a stretch: the CPU time of the longest task of each, as a multiple of a
 * loop's in the same page. What else the machine does counts for little in it.
 */
export async function longestTasks(page: Page, acts: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('A page without a browser');
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  // The first time, the loop is compiled.
  const measured = [...Array.from({ length: 4 }, () => () => page.evaluate(loop, ROUNDS)), ...acts];
  const mark = () => page.evaluate(() => void performance.mark('between acts'));
  for (const act of measured) {
    await mark();
    await act();
  }
  await mark();
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(String(await browser.stopTracing()));
  const marks = traceEvents.filter(({ name }) => name === 'between acts');
  const longest = marks.slice(0, -1).map(({ ts, tid, pid }, index) => {
    const end = marks[index + 1]?.ts ?? 0;
    const tasks = traceEvents.filter(
      (event) => event.pid === pid && event.tid === tid && event.ts > ts && event.ts < end,
    );
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur));
  });
  const unit = Math.min(...longest.splice(0, measured.length - acts.length));
  return longest.map((time) => time / unit);
}
