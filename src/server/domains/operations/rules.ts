import type { JobHealth } from '#contract/operations.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How many seconds lie between two runs of a job, of the patterns that our jobs use: every minute, every so many
 * minutes, every hour, every day. What it does not know counts as daily, so that nothing is called late too soon.
 */
export function periodOf(cron: string): number {
  const [minute = '', hour = '', ...days] = cron.trim().split(/\s+/);
  if (days.length !== 3 || days.some((day) => day !== '*')) return DAY;
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (hour === '*' && minute === '*') return MINUTE;
  if (hour === '*' && step !== undefined) return Number(step) * MINUTE;
  return hour === '*' && /^\d+$/.test(minute) ? HOUR : DAY;
}

/** What is known of a job's last runs. */
export interface JobRuns {
  readonly cron: string;
  readonly startedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly lastError: string | null;
}

/** So many periods without a success are too many. */
const PERIODS_UNTIL_LATE = 2;

/** How a job fares: it has never run; its last run failed; the last success is too long ago; all is well. */
export function stateOf({ cron, startedAt, succeededAt, lastError }: JobRuns, now: Date): JobHealth['state'] {
  if (startedAt === null) return 'never';
  if (lastError !== null) return 'failing';
  const since = (now.getTime() - (succeededAt ?? startedAt).getTime()) / 1_000;
  return since > PERIODS_UNTIL_LATE * periodOf(cron) ? 'late' : 'ok';
}

const MESSAGE_MAX = 300;

/**
 * What failed, in one line that an admin may see: passwords in addresses, e-mail addresses, query strings and
 * whatever is long enough to be a key or a token are left out.
 */
export function harmless(message: string): string {
  return message
    .replace(/\/\/[^\s/@]+@/g, '//')
    .replace(/[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"']+/g, '…')
    .replace(/\?[^\s"']*=[^\s"']*/g, '?…')
    .replace(/(?=[\w+=-]*\d)[\w+=-]{20,}/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MESSAGE_MAX);
}
