/** A match to choose or not. */
export interface Candidate {
  readonly id: number;
  /** What two chosen ones cannot share: coupons, and wants, each of which one coupon satisfies. */
  readonly uses: readonly string[];
  /** What choosing it is worth. */
  readonly weight: number;
}

/** Larger components are chosen from by heuristic alone. */
const EXACT_MAX = 400;
/** Rounds of the local search without a gain, after which it ends. */
const ROUNDS_MAX = 60;

/**
 * Chooses matches that share nothing and are worth the most together: weighted set packing, for each connected component
 * by itself. Branch and bound proves the best choice of a small one; a greedy choice with local search (one out, the
 * best of those that it had kept out in; forced moves to leave local optima) finds a good one otherwise.
 * @param effort steps of the branch and bound for each component before the best choice so far is taken
 * @returns the ids of the chosen
 */
export function choose(candidates: readonly Candidate[], effort: number): Set<number> {
  const chosen = new Set<number>();
  for (const component of componentsOf(candidates)) {
    for (const { id } of chooseFrom(component, effort)) chosen.add(id);
  }
  return chosen;
}

/** Groups of candidates that share something, over any number of steps. */
function componentsOf(candidates: readonly Candidate[]): Candidate[][] {
  const users = usersOf(candidates);
  const seen = new Set<Candidate>();
  return candidates.flatMap((first) => {
    if (seen.has(first)) return [];
    const component = [first];
    seen.add(first);
    for (const each of component) {
      for (const use of each.uses) {
        for (const other of users.get(use) ?? []) {
          if (seen.has(other)) continue;
          seen.add(other);
          component.push(other);
        }
      }
    }
    return [component];
  });
}

function usersOf(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const users = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    for (const use of candidate.uses) {
      const known = users.get(use);
      if (known) known.push(candidate);
      else users.set(use, [candidate]);
    }
  }
  return users;
}

/** Candidates that cannot be chosen together with each. */
type Rivals = ReadonlyMap<Candidate, readonly Candidate[]>;

function rivalsOf(candidates: readonly Candidate[]): Rivals {
  const users = usersOf(candidates);
  return new Map(
    candidates.map((candidate) => {
      const rivals = new Set(candidate.uses.flatMap((use) => users.get(use) ?? []));
      rivals.delete(candidate);
      return [candidate, [...rivals]];
    }),
  );
}

function chooseFrom(component: readonly Candidate[], effort: number): readonly Candidate[] {
  if (component.length === 1) return component;
  const rivals = rivalsOf(component);
  const good = improve(greedy(component, rivals), component, rivals);
  if (component.length > EXACT_MAX) return [...good];
  return branchAndBound(component, rivals, { best: [...good], effort });
}

const worthOf = (chosen: Iterable<Candidate>) => {
  let sum = 0;
  for (const { weight } of chosen) sum += weight;
  return sum;
};

/** Takes what is worth the most for what it rules out, until nothing is left. */
function greedy(
  candidates: readonly Candidate[],
  rivals: Rivals,
  start: readonly Candidate[] = [],
): Set<Candidate> {
  const chosen = new Set(start);
  const ruledOut = new Set(start.flatMap((each) => rivals.get(each) ?? []));
  const value = (each: Candidate) => each.weight / (1 + (rivals.get(each)?.length ?? 0));
  for (const each of [...candidates].sort((one, other) => value(other) - value(one))) {
    if (ruledOut.has(each) || chosen.has(each)) continue;
    chosen.add(each);
    for (const rival of rivals.get(each) ?? []) ruledOut.add(rival);
  }
  return chosen;
}

/** Forces one candidate after the other into the choice, mends it greedily, and keeps what is worth more. */
function improve(first: Set<Candidate>, candidates: readonly Candidate[], rivals: Rivals): Set<Candidate> {
  let best = first;
  let worth = worthOf(best);
  const rounds = Math.min(candidates.length, ROUNDS_MAX);
  for (let round = 0, next = 0; round < rounds; round += 1, next += 1) {
    const forced = candidates[next % candidates.length];
    if (!forced || best.has(forced)) continue;
    const out = new Set(rivals.get(forced));
    const kept = [...best].filter((each) => !out.has(each));
    // Only those around the change can come in.
    const around = new Set([...out].flatMap((each) => (best.has(each) ? (rivals.get(each) ?? []) : [])));
    const mended = greedy([...around], rivals, [...kept, forced]);
    const mendedWorth = worthOf(mended);
    if (mendedWorth <= worth) continue;
    [best, worth, round] = [mended, mendedWorth, -1];
  }
  return best;
}

/** Tries with and without each candidate, unless even the best rest could not reach what is known. */
function branchAndBound(
  component: readonly Candidate[],
  rivals: Rivals,
  given: { best: readonly Candidate[]; effort: number },
): readonly Candidate[] {
  let { best, effort } = given;
  let worth = worthOf(best);

  function visit(open: readonly Candidate[], chosen: readonly Candidate[], sum: number): void {
    if (sum > worth) [best, worth] = [chosen, sum];
    effort -= 1;
    if (effort < 0 || open.length === 0 || sum + boundOf(open) <= worth + 1e-9) return;
    // The use that the fewest share: one of them is chosen, or none.
    const users = usersOf(open);
    let fewest: readonly Candidate[] = open;
    for (const each of users.values()) if (each.length < fewest.length) fewest = each;
    for (const each of [...fewest].sort((one, other) => other.weight - one.weight)) {
      const out = new Set(rivals.get(each));
      const rest = open.filter((other) => other !== each && !out.has(other));
      visit(rest, [...chosen, each], sum + each.weight);
    }
    const without = new Set(fewest);
    visit(
      open.filter((each) => !without.has(each)),
      chosen,
      sum,
    );
  }

  visit(component, [], 0);
  return best;
}

/** No choice is worth more: each use is worth at most the largest share of a candidate that has it. */
function boundOf(open: readonly Candidate[]): number {
  const shares = new Map<string, number>();
  for (const { uses, weight } of open) {
    const share = weight / uses.length;
    for (const use of uses) shares.set(use, Math.max(shares.get(use) ?? 0, share));
  }
  let bound = 0;
  for (const share of shares.values()) bound += share;
  return bound;
}
