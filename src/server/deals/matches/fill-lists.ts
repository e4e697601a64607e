import { OPEN_MATCHES_MAX } from '#contract/deals/matches.ts';
import type { Context } from '#server/context/context.ts';
import type { Trx } from '#server/database/client.ts';
import { announce } from '#server/database/live.ts';
import { choose } from './choose-matches.ts';
import * as store from './store.ts';

/** Matches that wait for a place on somebody's list; the worst of more are forgotten. */
const WAITING_MAX = 40;
/** What a leg is worth in the choice of the most trades if its receiver only saved the coupon or asked for it. */
const LIKELY = 0.5;
/** Keeps the rank from outweighing a trade. */
const RANK_UNIT = 1e-10;

/**
 * Brings the lists of these people up to date: removes what can no longer be, chooses the matches that make the most
 * trades, and fills each list with those first, then with the best others. Take the finder's lock first.
 * @param given.effort of the choice, see `choose`
 * @param given.mayHaveEnded whether matches can have ended since the lists were placed
 */
export async function fillLists(
  trx: Trx,
  ctx: Context,
  given: { userIds: readonly number[]; effort: number; mayHaveEnded: boolean },
): Promise<void> {
  const now = ctx.clock();
  const [all, near] = [given.userIds, new Set(given.userIds)];
  if (all.length === 0) return;
  let known = await store.listPlaced(trx, all, {
    withWaiting: true,
    liveAt: given.mayHaveEnded ? now : null,
  });
  let own = known.filter((match) => match.isLive);
  const others = peopleOf(own).filter((id) => !near.has(id));
  const ids = new Set(known.map(({ id }) => id));
  const theirs = (await store.listPlaced(trx, others, { withWaiting: false, liveAt: null })).filter(
    ({ id }) => !ids.has(id),
  );
  for (;;) {
    const chosen = chooseAmong(own, theirs, given.effort);
    const open = select([...own, ...theirs], chosen);
    // What waits may have ended unnoticed: a coupon expired at midnight, or the same swap was proposed by hand.
    const entering = own.filter(({ id, state }) => state === 'waiting' && open.has(id)).map(({ id }) => id);
    const ended = given.mayHaveEnded ? [] : await store.listEnded(trx, entering, now);
    if (ended.length === 0) return apply(trx, { known, theirs, open, chosen, near }, now);
    known = known.map((match) => (ended.includes(match.id) ? { ...match, isLive: false } : match));
    own = known.filter((match) => match.isLive);
  }
}

const peopleOf = (matches: readonly store.Placed[]) => [
  ...new Set(matches.flatMap(({ legs }) => legs.map(({ giverId }) => giverId))),
];

const usesOf = ({ legs }: store.Placed) =>
  legs.flatMap(({ couponId, wantId }) => [`c${couponId}`, ...(wantId === null ? [] : [`w${wantId}`])]);

/** The choice among `own` that leaves the chosen ones of `theirs` in place. @returns both */
function chooseAmong(
  own: readonly store.Placed[],
  theirs: readonly store.Placed[],
  effort: number,
): Set<number> {
  const fixed = theirs.filter(({ isChosen }) => isChosen);
  const taken = new Set(fixed.flatMap(usesOf));
  const candidates = own
    .map((match) => ({ id: match.id, uses: usesOf(match), weight: weightOf(match) }))
    .filter(({ uses }) => !uses.some((use) => taken.has(use)));
  const chosen = choose(candidates, effort);
  for (const { id } of fixed) chosen.add(id);
  return chosen;
}

function weightOf({ legs, score }: store.Placed): number {
  const trades = legs.reduce((sum, { wantId }) => sum + (wantId === null ? LIKELY : 1), 0);
  return trades + score * RANK_UNIT;
}

/** Which matches are open: the chosen ones, then by rank, as long as everybody in them has a place. */
function select(matches: readonly store.Placed[], chosen: ReadonlySet<number>): Set<number> {
  const open = new Set<number>();
  const taken = new Map<number, number>();
  const rank = (match: store.Placed) => (chosen.has(match.id) ? 1 : 0);
  const bestFirst = [...matches].sort(
    (one, other) => rank(other) - rank(one) || other.score - one.score || one.id - other.id,
  );
  for (const { id, legs } of bestFirst) {
    const places = legs.map(({ giverId }) => taken.get(giverId) ?? 0);
    if (places.some((count) => count >= OPEN_MATCHES_MAX)) continue;
    open.add(id);
    for (const { giverId } of legs) taken.set(giverId, (taken.get(giverId) ?? 0) + 1);
  }
  return open;
}

/** Stores the outcome, and tells the browsers of everybody whose list has changed. */
async function apply(
  trx: Trx,
  given: {
    known: readonly store.Placed[];
    theirs: readonly store.Placed[];
    open: ReadonlySet<number>;
    chosen: ReadonlySet<number>;
    near: ReadonlySet<number>;
  },
  at: Date,
): Promise<void> {
  const { known, theirs, open, chosen, near } = given;
  const all = [...known, ...theirs];
  const gone = known.filter(({ isLive }) => !isLive);
  const closed = all.filter((match) => match.state === 'open' && !open.has(match.id));
  const opened = all.filter((match) => match.state === 'waiting' && open.has(match.id));
  const forgotten = tooMany(
    known.filter((match) => match.isLive && !open.has(match.id)),
    near,
  );
  if (closed.length > 0)
    await store.closeMatches(
      trx,
      closed.map(({ id }) => id),
      at,
    );
  if (opened.length > 0) await store.openMatches(trx, withSlots(opened, all, open), at);
  const away = [...gone, ...forgotten].map(({ id }) => id);
  if (away.length > 0) await store.deleteMatches(trx, away);
  const kept = [...open];
  if (kept.length > 0) {
    await store.setChosen(
      trx,
      kept,
      kept.filter((id) => chosen.has(id)),
    );
  }
  const changed = peopleOf([...closed, ...opened]);
  await announce(
    trx,
    changed.map((userId) => ({ userId, event: { kind: 'match' } as const })),
  );
}

/** The worst of what waits for people who have too much of it. */
function tooMany(waiting: readonly store.Placed[], near: ReadonlySet<number>): store.Placed[] {
  const counts = new Map<number, number>();
  return [...waiting]
    .sort((one, other) => other.score - one.score || one.id - other.id)
    .filter(({ legs }) => {
      const givers = legs.map(({ giverId }) => giverId).filter((id) => near.has(id));
      const isTooMuch = givers.some((id) => (counts.get(id) ?? 0) >= WAITING_MAX);
      for (const id of givers) counts.set(id, (counts.get(id) ?? 0) + 1);
      return isTooMuch;
    });
}

/** Gives each leg of the opened matches a slot that its giver has free. */
function withSlots(opened: readonly store.Placed[], all: readonly store.Placed[], open: ReadonlySet<number>) {
  const taken = new Set(
    all
      .filter(({ id, state }) => state === 'open' && open.has(id))
      .flatMap(({ legs }) => legs.map(({ giverId, slot }) => `${giverId} ${slot}`)),
  );
  return opened.map(({ id, isExplicit, legs }) => ({
    id,
    isExplicit,
    slots: legs.map(({ giverId }) => {
      let slot = 1;
      while (taken.has(`${giverId} ${slot}`)) slot += 1;
      taken.add(`${giverId} ${slot}`);
      return { giverId, slot };
    }),
  }));
}
