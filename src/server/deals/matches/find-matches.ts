import { listCouponsInputSchema } from '#contract/coupons/coupons.ts';
import type { Context } from '#server/context/context.ts';
import { listCoupons } from '#server/coupons/search/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import * as edgesStore from './edges-store.ts';
import { fillLists } from './fill-lists.ts';
import { notifyOfMatches } from './notify-of-matches.ts';
import * as queueStore from './queue-store.ts';
import { type Found, judge } from './rules.ts';
import * as store from './store.ts';

/** Changes, wants and edges per transaction. */
const CHANGES = 100;
const WANTS = 20;
const EDGES = 10;

/** Matches that are kept for one edge: the best of all sizes. */
const KEPT = 30;
/** When this many smaller rings are found, larger ones are not searched. */
const ENOUGH = 30;

/** How many of the latest fitting coupons a new want is compared with, and on how many pages of its search they may be. */
const FITS = 100;
const PAGES = 5;

/** Steps of the branch and bound in one choice: a few milliseconds. */
const EFFORT = 50;

/**
 * Finds the matches that changes of coupons, wants, saved coupons, blocks and exchanges bring, through the changed edges
 * only, and removes those that they end. Then tells people of what they look for.
 * @param given.signal stops early, after the batch under way
 * @returns how many edges were searched
 */
export async function findMatches(ctx: Context, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  const [turn, searches] = [newTurn(CHANGES), newTurn()];
  let count = 0;
  while (!signal?.aborted) {
    const ids = await fitWants(ctx, turn);
    const changes = await takeTurn(ctx, turn, (note) =>
      inTransaction(ctx.db, (trx) => takeChanges(trx, ctx, { ofWants: ids, turn, note })),
    );
    const searched = await searchEdges(ctx, { before: null, turn: searches });
    count += searched ?? 0;
    // Fewer than fit into a turn, and none has failed: that was all.
    if (
      changes !== undefined &&
      changes < Math.min(WANTS, turn.limit) &&
      searched !== undefined &&
      searched < searches.limit
    )
      break;
  }
  await notifyOfMatches(ctx);
  return count;
}

/** How a queue is worked through in one run. */
interface Turn {
  /** Entries per transaction. */
  limit: number;
  /** Entries that have failed: the next run tries them again. */
  readonly passedOver: number[];
}

export const newTurn = (limit: number = EDGES): Turn => ({ limit, passedOver: [] });

/**
 * Takes a batch. After one that fails, entries are taken one by one, so that none holds up the others.
 * @param work notes the entries before it does something with them
 * @returns how many entries; undefined: it has failed, and there may be others
 */
async function takeTurn(
  ctx: Context,
  turn: Turn,
  work: (note: (ids: readonly number[]) => void) => Promise<number>,
): Promise<number | undefined> {
  let taken: readonly number[] = [];
  try {
    return await work((ids) => {
      taken = ids;
    });
  } catch (error) {
    if (taken.length === 0) throw error;
    if (taken.length === 1) {
      turn.passedOver.push(...taken);
      ctx.log.error({ err: error, ids: taken }, 'a change could not be taken into the matches');
    }
    turn.limit = 1;
    return undefined;
  }
}

/** Holds the coupons on offer against wants that have changed. @returns their places in the queue */
async function fitWants(ctx: Context, turn: Turn): Promise<number[]> {
  const limit = Math.min(WANTS, turn.limit);
  const changes = await queueStore.listChangesOfWants(ctx.db, limit, turn.passedOver);
  if (changes.length === 0) return [];
  const fits = new Map<number, number[]>();
  const failed = new Set<number>();
  for (const wantId of new Set(changes.map((change) => change.wantId))) {
    try {
      const want = await queueStore.findGivingWant(ctx.db, wantId);
      if (want) fits.set(wantId, await listFits(ctx, wantId, want));
    } catch (error) {
      failed.add(wantId);
      ctx.log.error({ err: error, wantId }, 'coupons could not be held against a want');
    }
  }
  if (fits.size > 0) {
    await inTransaction(ctx.db, async (trx) => {
      await queueStore.lockFinder(trx);
      for (const [id, couponIds] of fits) await queueStore.setFits(trx, id, couponIds);
    });
  }
  turn.passedOver.push(...changes.filter(({ wantId }) => failed.has(wantId)).map(({ id }) => id));
  const done = changes.filter(({ wantId }) => !failed.has(wantId)).map(({ id }) => id);
  return done.length > 0 ? done : fitWants(ctx, turn);
}

/** The latest coupons on offer that a want is about. */
async function listFits(ctx: Context, wantId: number, want: object): Promise<number[]> {
  const asked = Object.entries(want).filter(([, value]) => value !== null);
  const input = listCouponsInputSchema.parse({ ...Object.fromEntries(asked), limit: FITS });
  const found: number[] = [];
  let next: string | number | null = input.page;
  for (let page = 0; page < PAGES && found.length < FITS && next !== null; page += 1) {
    const { items, nextCursor } = await listCoupons({ ...ctx, actor: null }, { ...input, page: next });
    const couponIds = items.map(({ id }) => id);
    found.push(...(await queueStore.listFitting(ctx.db, { wantId, couponIds, now: ctx.clock() })));
    next = nextCursor;
  }
  return found.slice(0, FITS);
}

/** Takes the oldest changes into the edges. @returns how many changes */
async function takeChanges(
  trx: Trx,
  ctx: Context,
  given: { ofWants: readonly number[]; turn: Turn; note: (ids: readonly number[]) => void },
): Promise<number> {
  const { ofWants, turn, note } = given;
  await queueStore.lockFinder(trx);
  const at = ctx.clock();
  const changes = await queueStore.listChanges(trx, { ofWants, ...turn });
  if (changes.length === 0) return 0;
  note(changes.map(({ id }) => id));
  const ended: { couponId: number; giverId: number }[] = [];
  for (const { exchangeId } of changes) {
    if (exchangeId === null) continue;
    await queueStore.keepWish(trx, exchangeId);
    ended.push(...(await queueStore.endProposed(trx, exchangeId, at)));
  }
  const changed = changedBy(
    changes,
    ended.map(({ couponId }) => couponId),
  );
  await edgesStore.removeEdges(trx, changed, at);
  await edgesStore.addEdges(trx, changed, at);
  const pairs = changes.flatMap(({ userId, otherId }) =>
    userId === null || otherId === null ? [] : [[userId, otherId] as const],
  );
  const userIds = changes.flatMap(({ userId, otherId, couponId }) =>
    userId === null || couponId !== null ? [] : [userId, ...(otherId === null ? [] : [otherId])],
  );
  userIds.push(...ended.map(({ giverId }) => giverId));
  const { couponIds, wantIds } = changed;
  const alone = changes.flatMap(({ userId, otherId, couponId }) =>
    userId === null || otherId !== null || couponId !== null ? [] : [userId],
  );
  await edgesStore.searchAgain(trx, { couponIds, wantIds, userIds: alone, pairs });
  const affected = await store.listPeopleOf(trx, changed);
  const placed = [...new Set([...userIds, ...affected])];
  await fillLists(trx, ctx, { userIds: placed, effort: EFFORT, mayHaveEnded: true });
  await queueStore.deleteChanges(
    trx,
    changes.map(({ id }) => id),
  );
  return changes.length;
}

function changedBy(changes: readonly queueStore.Change[], ended: readonly number[]): edgesStore.Changed {
  const couponIds = changes.flatMap(({ couponId, wantId, userId }) =>
    couponId !== null && wantId === null && userId === null ? [couponId] : [],
  );
  return {
    couponIds: [...new Set([...couponIds, ...ended])],
    wantIds: [
      ...new Set(
        changes.flatMap(({ wantId, couponId }) => (wantId !== null && couponId === null ? [wantId] : [])),
      ),
    ],
    finds: changes.flatMap(({ couponId, wantId }) =>
      couponId !== null && wantId !== null ? [{ couponId, wantId }] : [],
    ),
    saves: changes.flatMap(({ couponId, userId }) =>
      couponId !== null && userId !== null ? [{ couponId, userId }] : [],
    ),
  };
}

/**
 * Looks for rings through edges that were not searched yet, or not since `before`.
 * @returns how many edges; undefined: some have failed, and there may be others
 */
export async function searchEdges(
  ctx: Context,
  given: { before: Date | null; turn: Turn },
): Promise<number | undefined> {
  const { before, turn } = given;
  return takeTurn(ctx, turn, (note) =>
    inTransaction(ctx.db, async (trx) => {
      await queueStore.lockFinder(trx);
      const at = ctx.clock();
      const edgeIds = await edgesStore.listUnsearched(trx, { before, ...turn });
      if (edgeIds.length === 0) return 0;
      note(edgeIds);
      const found = await findThrough(trx, edgeIds, {
        now: at,
        ringMax: ctx.config.ringPeopleMax,
      });
      await store.insertFound(trx, found, at);
      await edgesStore.markSearched(trx, edgeIds, at);
      const userIds = [...new Set(found.flatMap(({ legs }) => legs.map(({ takerId }) => takerId)))];
      // Whatever ends matches is a change of its own in the queue.
      await fillLists(trx, ctx, { userIds, effort: EFFORT, mayHaveEnded: false });
      return edgeIds.length;
    }),
  );
}

/** The best matches through each of these edges. */
async function findThrough(
  trx: Trx,
  edgeIds: readonly number[],
  { now, ringMax }: { now: Date; ringMax: number },
): Promise<Found[]> {
  const byKey = new Map<string, Found>();
  let open = [...edgeIds];
  const kept = new Map<number, number>();
  for (let size = 2; size <= ringMax && open.length > 0; size += 1) {
    const rings = await edgesStore.findRings(trx, open, size);
    if (rings.length === 0) continue;
    const facts = await edgesStore.readFacts(trx, [...new Set(rings.flat())], now);
    const found = rings
      .flatMap((ring) => judge(ring, facts, now) ?? [])
      .sort((one, other) => other.score - one.score);
    for (const match of found) {
      const through = match.legs[0]?.id ?? 0;
      const count = kept.get(through) ?? 0;
      const known = byKey.get(match.key);
      if (known ? known.score >= match.score : count >= KEPT) continue;
      byKey.set(match.key, match);
      kept.set(through, count + 1);
    }
    open = open.filter((id) => (kept.get(id) ?? 0) < ENOUGH);
  }
  return [...byKey.values()];
}
