import * as fc from 'fast-check';
import { type Outcome, type Plan, simulate } from './run.ts';

type Given = Parameters<typeof simulate>[0];

/** What is broken, without the rows that break it. */
const kindOf = ({ broken }: Outcome) => broken[0]?.split(':')[0] ?? null;

/** The acts of a plan that are left. Jobs run as before. */
const only = (plan: Plan, left: readonly string[]): Plan =>
  plan.map((moment) => ({ ...moment, acts: moment.acts.filter((act) => left.includes(act)) }));

/**
 * Leaves out what the failure does not need: what comes after it, the faults, then acts. All other choices stay as they were,
 * since each depends on the seed and its own name alone.
 * @param withinMs when to stop trying
 * @returns the same failure, in as few acts as were found in the time
 */
export async function shrink(given: Given, failed: Outcome, withinMs: number): Promise<Outcome> {
  let least = { given, outcome: failed };
  const fails = async (changed: Partial<Given>): Promise<boolean> => {
    const next = { ...least.given, ...changed };
    const outcome = await simulate(next);
    if (kindOf(outcome) !== kindOf(failed)) return false;
    least = { given: next, outcome };
    return true;
  };
  const { hour } = failed;
  if (hour !== null) await fails({ plan: given.plan.filter((moment) => moment.hour <= hour) });
  await fails({ odds: { ...given.odds, faultRate: 0 } });
  const { plan } = least.given;
  const acts = plan.flatMap((moment) => moment.acts);
  if (acts.length === 0) return least.outcome;
  const holds = fc.asyncProperty(
    fc.array(fc.constantFrom(...acts), { size: 'max', maxLength: acts.length }),
    async (left) => !(await fails({ plan: only(plan, left) })),
  );
  await fc.check(holds, { examples: [[acts]], numRuns: 1, skipAllAfterTimeLimit: withinMs });
  return least.outcome;
}
