import type { JobHealth } from '#contract/operations.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The seconds between two runs of a job, for the patterns that our jobs use: every minute, every n minutes, every hour,
 * every day. Any other pattern counts as daily, so that a job is not called late too early.
 */
export function periodOf(cron: string): number {
  const [minute = '', hour = '', ...days] = cron.trim().split(/\s+/);
  if (days.length !== 3 || days.some((day) => day !== '*')) return DAY;
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (hour === '*' && minute === '*') return MINUTE;
  if (hour === '*' && step !== undefined) return Number(step) * MINUTE;
  return hour === '*' && /^\d+$/.test(minute) ? HOUR : DAY;
}

/** The recorded runs of a job. */
export interface JobRuns {
  readonly cron: string;
  readonly startedAt: Date | null;
  readonly succeededAt: Date | null;
  readonly lastError: string | null;
}

/** A job is late after this many periods without a success. */
const PERIODS_UNTIL_LATE = 2;

/** The state of a job: it has never run; its last run failed; its last success is too long ago; or it is fine. */
export function stateOf({ cron, startedAt, succeededAt, lastError }: JobRuns, now: Date): JobHealth['state'] {
  if (startedAt === null) return 'never';
  if (lastError !== null) return 'failing';
  const since = (now.getTime() - (succeededAt ?? startedAt).getTime()) / 1_000;
  return since > PERIODS_UNTIL_LATE * periodOf(cron) ? 'late' : 'ok';
}

const MESSAGE_MAX = 300;

/**
 * An error message in one line that an admin may see: without passwords in URLs, e-mail addresses, query strings and
 * anything long enough to be a key or a token.
 */
export function redact(message: string): string {
  return message
    .replace(/\/\/[^\s/@]+@/g, '//')
    .replace(/[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"']+/g, '…')
    .replace(/\?[^\s"']*=[^\s"']*/g, '?…')
    .replace(/(?=[\w+=-]*\d)[\w+=-]{20,}/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MESSAGE_MAX);
}
