import type { Context } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { inTransaction } from '#server/database/client.ts';
import { fillLists } from './fill-lists.ts';
import { newTurn, searchEdges } from './find-matches.ts';
import * as store from './queue-store.ts';

/** Edges that one night looks through again: those that were not searched for longest. */
const EDGES_MAX = 20_000;
/** People whose lists are placed together: a component of the market, or a part of a larger one. */
const PEOPLE_MAX = 1_000;
/** People whose lists one transaction places, in whole parts: more keep the finder waiting too long. */
const PEOPLE_AT_ONCE = 100;
/** Steps of the branch and bound in one choice. */
const EFFORT = 1_000;
/** For how many nights somebody who is back is looked at, in case one night is missed. */
const RETURN_DAYS = 3;

/**
 * What the changes of the day leave undone: looks for rings again where that was longest ago, removes what has ended
 * without a change (coupons that have expired), and chooses anew the matches that make the most trades, for each connected
 * part of the market as a whole.
 * @param signal stops early, after the part under way
 * @returns how many people's lists were placed
 */
export async function refreshMatches(ctx: Context, signal?: AbortSignal): Promise<number> {
  const now = ctx.clock();
  await store.queueReturned(ctx.db, { from: utcDay(addDays(now, 1 - RETURN_DAYS)), to: utcDay(now) });
  const before = addDays(ctx.clock(), -1);
  const turn = newTurn();
  for (let searched = 0; searched < EDGES_MAX && !signal?.aborted; ) {
    const count = await searchEdges(ctx, { before, turn });
    if (count === 0) break;
    searched += count ?? 0;
  }
  let placed = 0;
  const walk: Walk = { after: 0, done: new Set() };
  while (!signal?.aborted) {
    const parts = await nextParts(ctx, walk);
    if (parts.length === 0) break;
    await inTransaction(ctx.db, async (trx) => {
      await store.lockFinder(trx);
      for (const userIds of parts) await fillLists(trx, ctx, { userIds, effort: EFFORT, mayHaveEnded: true });
    });
    placed += parts.flat().length;
  }
  return placed;
}

/** Where the walk through all people is, and who after that has had their turn. */
interface Walk {
  after: number;
  readonly done: Set<number>;
}

/** The next parts of the market, of PEOPLE_AT_ONCE people or just above; none at the end. */
async function nextParts(ctx: Context, walk: Walk): Promise<number[][]> {
  const parts: number[][] = [];
  for (let people = 0; people < PEOPLE_AT_ONCE; ) {
    const next = await store.nextPerson(ctx.db, walk.after);
    if (next === undefined) break;
    walk.after = next;
    if (walk.done.delete(next)) continue;
    const userIds = await partAround(ctx, next);
    // In id order, those before have had their turn.
    for (const id of userIds) if (id > next) walk.done.add(id);
    parts.push(userIds);
    people += userIds.length;
  }
  return parts;
}

/** A person and everybody connected with them by matches, over any number of steps, up to PEOPLE_MAX. */
async function partAround(ctx: Context, userId: number): Promise<number[]> {
  const part = new Set([userId]);
  for (let edge = [userId]; edge.length > 0 && part.size < PEOPLE_MAX; ) {
    const near = await store.listPartners(ctx.db, edge, PEOPLE_MAX);
    edge = near.filter((id) => !part.has(id)).slice(0, PEOPLE_MAX - part.size);
    for (const id of edge) part.add(id);
  }
  return [...part];
}
