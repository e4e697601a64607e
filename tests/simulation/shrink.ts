import { type Outcome, type Plan, simulate } from './run.ts';

type Given = Parameters<typeof simulate>[0];

/** A failure in as few acts as were found in the time. */
export interface Shrunk {
  readonly given: Given;
  readonly outcome: Outcome;
}

/** What is broken, without the rows that break it. */
const kindOf = ({ broken }: Outcome) => broken[0]?.split(':')[0] ?? null;

const actsOf = (plan: Plan) => plan.reduce((sum, { acts }) => sum + acts.length, 0);

/** Leaves out some acts. Jobs run as before. */
const without = (plan: Plan, isOut: (place: number) => boolean): Plan => {
  let place = -1;
  return plan.map((moment) => ({
    ...moment,
    acts: moment.acts.filter(() => {
      place += 1;
      return !isOut(place);
    }),
  }));
};

/**
 * Leaves out what the failure does not need: what comes after it, the faults, then ever smaller parts of the acts. All other
 * choices stay as they were, since each depends on the seed and its own name alone.
 * @param withinMs when to stop trying
 */
export async function shrink(given: Given, failed: Outcome, withinMs: number): Promise<Shrunk> {
  const end = performance.now() + withinMs;
  const kind = kindOf(failed);
  let best: Shrunk = { given, outcome: failed };
  const attempt = async (changed: Partial<Given>): Promise<boolean> => {
    const next = { ...best.given, ...changed };
    const outcome = await simulate(next);
    if (kindOf(outcome) !== kind) return false;
    best = { given: next, outcome };
    return true;
  };

  const { hour } = failed;
  if (hour !== null) await attempt({ plan: given.plan.filter((moment) => moment.hour <= hour) });
  await attempt({ faultRate: 0 });
  for (let parts = 2; performance.now() < end; ) {
    const { plan } = best.given;
    const count = actsOf(plan);
    const size = Math.ceil(count / parts);
    let isSmaller = false;
    for (let part = 0; part < parts && !isSmaller && performance.now() < end; part += 1)
      isSmaller = await attempt({
        plan: without(plan, (place) => place >= part * size && place < (part + 1) * size),
      });
    if (isSmaller) parts = Math.max(2, parts - 1);
    else if (size <= 1) break;
    else parts = Math.min(count, 2 * parts);
  }
  return best;
}
