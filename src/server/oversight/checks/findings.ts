import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@lingui/core/macro';
import type { Check } from '#contract/oversight/operations.ts';
import type { Providers } from '#server/context/context.ts';
import type { Clock } from '#server/core/clock.ts';
import type { Config } from '#server/core/config.ts';
import type { Environment } from '#server/core/environment.ts';
import { AppError } from '#server/core/errors.ts';
import type { LiveEvents } from '#server/core/live.ts';
import type { Arrival } from '#server/core/proxies.ts';
import type { Replica } from '#server/core/replica.ts';
import type { Database } from '#server/database/client.ts';
import { redact } from './job-runs.ts';

/** What the checks of an installation look at. */
export interface Examined {
  readonly config: Config;
  readonly environment: Environment;
  readonly db: Database;
  readonly clock: Clock;
  readonly replica: Pick<Replica<Database>, 'state'> | null;
  readonly live: Pick<LiveEvents, 'transport'>;
  readonly providers: Pick<Providers, 'payments' | 'storage' | 'mail' | 'feeds'>;
  /** How the admin's own request has come; null on the command line. */
  readonly arrival: Arrival | null;
  /** Who gets a test email; null: nobody. */
  readonly mailTo: string | null;
}

/** What a check has found, and what to do about it. */
export type Finding = Pick<Check, 'state' | 'found' | 'advice'>;

/** One thing that is looked at. */
export interface CheckOf {
  readonly id: string;
  readonly name: () => string;
  /** Null: there is nothing to look at, and nothing is shown. @throws Error that counts as broken */
  look(examined: Examined): Promise<Finding | null>;
}

export const good = (found: string): Finding => ({ state: 'good', found, advice: null });
export const attention = (found: string, advice: string): Finding => ({ state: 'attention', found, advice });
export const broken = (found: string, advice: string): Finding => ({ state: 'broken', found, advice });
export const notSetUp = (found: string, advice: string | null = null): Finding => ({
  state: 'not_set_up',
  found,
  advice,
});

/** The first problem, or else that all is good. */
export function worstOf(findings: readonly (Finding | null)[], otherwise: Finding): Finding {
  const [first] = ['broken', 'attention'].flatMap((state) =>
    findings.filter((finding) => finding?.state === state),
  );
  return first ?? otherwise;
}

/** The reason of a failure in one line, without secrets: the innermost one says the most. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return redact(String(error));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return redact(error.message) || code || error.name;
}

/** A check that takes longer hangs. In milliseconds. */
const CHECK_WITHIN_MS = 15_000;

/** Runs all checks at once. None of them fails or waits for another; one that hangs says so. */
export async function runAll(
  checks: readonly CheckOf[],
  examined: Examined,
  withinMs = CHECK_WITHIN_MS,
): Promise<Check[]> {
  const found = await Promise.all(
    checks.map(async ({ id, name, look }) => {
      const finding = await within(withinMs, () => look(examined));
      return finding && { id, name: name(), ...finding };
    }),
  );
  return found.filter((check) => check !== null);
}

async function within(ms: number, look: () => Promise<Finding | null>): Promise<Finding | null> {
  const ended = new AbortController();
  const hangs = async () => {
    await sleep(ms, undefined, { signal: ended.signal });
    const seconds = ms / 1_000;
    return broken(
      t`This check did not end within ${seconds} seconds.`,
      t`Find out what it connects to: something accepts the connection and never answers.`,
    );
  };
  const waiting = hangs();
  waiting.catch(() => {});
  try {
    return await Promise.race([look(), waiting]);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable')
      return attention(
        t`This could not be checked: the database does not answer.`,
        t`First fix what the database check reports.`,
      );
    if (isMissingTable(error))
      return notSetUp(t`This can be checked once the server of this version has started.`);
    const reason = reasonOf(error);
    return broken(t`This check failed: ${reason}`, t`Fix what it reports, then run the checks again.`);
  } finally {
    ended.abort();
  }
}

/** Whether the database lacks a table, as before the first start. */
function isMissingTable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01';
}
