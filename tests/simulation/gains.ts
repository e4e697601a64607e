import { sql } from 'kysely';
import type { Cents } from '#contract/base/money.ts';
import type { Broken } from './checks.ts';
import type { World } from './world.ts';

/** Money that has gone from one person to another through the market, in the end. */
export interface Flow {
  readonly from: number;
  /** Null: nobody got a part of it. */
  readonly to: number | null;
  /** What is gone from the one, and what the other has; the market has, or lacks, what lies between. */
  readonly paid: Cents;
  readonly got: Cents;
}

/**
 * What a group of people has of the market's own money. Of deals with others that is what both sides have more than was paid; of
 * deals among themselves they have paid the fees.
 */
function gainOf(group: ReadonlySet<number>, flows: readonly Flow[]): Cents {
  return flows.reduce((sum, { from, to, paid, got }) => {
    const [pays, gets] = [group.has(from), to !== null && group.has(to)];
    if (pays && gets) return sum + got - paid;
    if (gets) return sum + Math.max(0, got - paid);
    return pays ? sum + Math.max(0, -paid) : sum;
  }, 0);
}

/** The groups of these people, the empty one left out. */
const groupsOf = (people: readonly number[]): Set<number>[] =>
  Array.from(
    { length: 2 ** people.length - 1 },
    (_, index) => new Set(people.filter((_person, at) => ((index + 1) >> at) % 2 === 1)),
  );

/** The group that has most of the market's own money; null: none has any. */
export function bestGroup(flows: readonly Flow[]): { people: number[]; gain: Cents } | null {
  const people = [...new Set(flows.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))];
  const [best] = groupsOf(people)
    .map((group) => ({ people: [...group], gain: gainOf(group, flows) }))
    .toSorted((one, other) => other.gain - one.gain);
  return best && best.gain > 0 ? best : null;
}

/** No accounts together have more than before but from others who have bought from them, once nothing is under way. */
export async function checkGains({ direct, odds }: World): Promise<Broken[]> {
  // Whoever is believed for a lie, by a moderator or a bank, has gained by it.
  if (!odds.isRight || odds.subjects.outside > 0) return [];
  const { rows } = await sql<Flow>`
    select coalesce(p.sender_id, d.user_id) as "from", coalesce(p.receiver_id, d.receiver_id) as "to",
      (100 * sum(case j.kind when 'capture' then j.amount when 'refund' then -j.amount when 'loss' then -j.amount
        else 0 end))::integer as paid,
      (100 * sum(case j.kind when 'payout' then j.amount when 'payout_reversal' then -j.amount
        when 'collection' then -j.amount else 0 end))::integer as got
    from ledger_journals j left join payment_transactions p on p.id = j.payment_id
    left join deposits d on d.id = j.deposit_id
    group by p.id, d.id`.execute(direct.db);
  const best = bestGroup(rows);
  return best === null ? [] : [`accounts gain together: ${JSON.stringify({ ...best, flows: rows })}`];
}
