import type { Checks } from '#contract/oversight/operations.ts';
import type { MemberContext } from '#server/context/context.ts';
import { enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { clock, connections, database, liveEvents, replica } from './check-database.ts';
import { disk, proxy, publicUrl, secretKey, settings } from './check-machine.ts';
import { mail, paypal, push, redis, storage, stripe, wallets } from './check-services.ts';
import { backup, changedSettings, feeds, jobs, validators } from './check-work.ts';
import { putRun } from './checks-store.ts';
import { type CheckOf, type Examined, runAll } from './findings.ts';

/** A run asks every service that the installation needs. */
const RUNS: RateLimit = { name: 'checks', points: 30, seconds: 600 };

/** Counts a run that an admin asks for. @throws AppError rate_limited */
export async function countRun({ limiter, actor }: MemberContext): Promise<void> {
  await enforceLimit(limiter, RUNS, String(actor.id));
}

/** What an operator's installation is checked for, in the order in which it is shown. */
export const CHECKS: readonly CheckOf[] = [
  settings,
  changedSettings,
  secretKey,
  publicUrl,
  proxy,
  database,
  connections,
  liveEvents,
  replica,
  clock,
  disk,
  storage,
  redis,
  mail,
  stripe,
  paypal,
  validators,
  feeds,
  jobs,
  backup,
  wallets,
  push,
];

/**
 * Looks at the installation: its settings, its surroundings and the services that it needs. Changes nothing that people
 * see; writes and deletes one file in the storage, and sends an email if somebody is named for it. The run is noted, as far as
 * the database lets it be.
 */
export async function runChecks(examined: Examined): Promise<Checks> {
  const checks = await runAll(CHECKS, examined);
  const countOf = (state: string) => checks.filter((check) => check.state === state).length;
  const ranAt = examined.clock();
  const run = { name: 'checks', ranAt, broken: countOf('broken'), attention: countOf('attention') } as const;
  // A database that is away or not migrated is among what was found.
  await putRun(examined.db, run).catch(() => {});
  return { ranAt: ranAt.toISOString(), checks };
}
