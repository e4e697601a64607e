import { randomBytes, randomInt } from 'node:crypto';
import { checkCertificate, type MarketDayTrade } from '#contract/deals/market-day-certificate.ts';
import { LOCK_MINUTES } from '#contract/deals/market-days.ts';
import type { Context } from '#server/context/context.ts';
import { addDays, addMinutes } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import { AppError } from '#server/core/errors.ts';
import { lockCoupons } from '#server/coupons/core/service.ts';
import { inTransaction, type Trx } from '#server/database/client.ts';
import { tradeOnMarketDay } from '#server/deals/exchanges/service.ts';
import { checkAgain } from '#server/deals/health/service.ts';
import { dealsLeft } from '#server/deals/lifecycle/service.ts';
import * as graphs from './graph-store.ts';
import { nextHour, stepOf } from './hours.ts';
import { certificateText } from './record.ts';
import { type Numbered, numbered, type Offered, restOf, type Solution } from './rules.ts';
import * as store from './runs-store.ts';
import { solveInChild } from './solver-process.ts';

/** A ring that cannot be traded is left out, and the rest is solved once more: in so many rounds at most. */
const ROUNDS_MAX = 3;
const SEED_BYTES = 32;
/** The numbers of a day are drawn from as many, so that none says anything. */
const NUMBERS = 2 ** 31 - 1;

const connectedOf = ({ providers }: Context) =>
  providers.validators.accounts().flatMap(({ merchants }) => merchants);

/**
 * Plans the next market day, and does what is due of the one that is not over: checks codes in its last half hour, freezes the
 * market at its hour, finds the best that can be traded, and trades it ring by ring. It may be ended anywhere, and goes on with the
 * next call; two processes at once do nothing twice.
 * @returns how many coupons have changed hands
 */
export async function runMarketDay(ctx: Context, signal: AbortSignal): Promise<number> {
  const { isOn } = ctx.config.marketDay;
  if (isOn) {
    const { day, at } = nextHour(ctx.clock(), ctx.config.marketDay);
    await store.planRun(ctx.db, { day, at, seed: randomBytes(SEED_BYTES).toString('hex') });
  }
  const run = await store.findOpenRun(ctx.db);
  if (!run) return 0;
  const isResting = !isOn || ctx.config.maintenance !== null;
  switch (stepOf(run, { now: ctx.clock(), isResting })) {
    case 'wait':
      return 0;
    case 'miss':
      await inTransaction(ctx.db, (trx) => moveFrom(trx, run, { state: 'missed', endedAt: ctx.clock() }));
      return 0;
    case 'check':
      await checkCodes(ctx, run, signal);
      return 0;
    case 'trade':
      return trade(ctx, run, signal);
  }
}

/** Moves a run on unless somebody else has. */
async function moveFrom(
  trx: Trx,
  run: Pick<store.RunRow, 'day' | 'state'>,
  values: Parameters<typeof store.moveRun>[2],
): Promise<void> {
  if ((await store.lockRun(trx, run.day)) === run.state) await store.moveRun(trx, run.day, values);
}

const asOf = (run: Pick<store.RunRow, 'day' | 'at'>, now: Date) => ({
  ...{ day: run.day, now },
  agreedUntil: addMinutes(run.at, -LOCK_MINUTES),
});

/** Asks the merchants' programmes about the codes that may be given. Whoever's fails is out and told. */
async function checkCodes(ctx: Context, run: store.RunRow, signal: AbortSignal): Promise<void> {
  const given = { ...asOf(run, ctx.clock()), merchants: connectedOf(ctx) };
  await checkAgain(ctx, await graphs.listCodesToCheck(ctx.db, given), signal);
  if (!signal.aborted) await inTransaction(ctx.db, (trx) => moveFrom(trx, run, { state: 'checked' }));
}

async function trade(ctx: Context, run: store.RunRow, signal: AbortSignal): Promise<number> {
  if (run.state !== 'trading') await inTransaction(ctx.db, (trx) => freeze(trx, ctx, run));
  const numbers = await readNumbers(ctx, run.day);
  let traded = 0;
  while (!signal.aborted) {
    const rounds = await store.listRounds(ctx.db, run.day);
    const latest = rounds.at(-1);
    if (!latest) return traded;
    if (latest.solution === null) {
      const { round, graph } = latest;
      const { seed } = run;
      const solution = await solveInChild(graph, seed, signal);
      const faults = checkCertificate({ graph, seed, trades: solution.trades, duals: solution.duals });
      if (faults.length > 0) throw new Error(`The solver of ${run.day} is wrong: ${faults[0]}`);
      await inTransaction(ctx.db, (trx) => store.putSolution(trx, { on: run.day, round, solution }));
      continue;
    }
    const rings = await store.listRings(ctx.db, run.day);
    const next = rings.find(({ outcome }) => outcome === null);
    if (next) {
      const legs = legsOf(numbers, tradesOf(latest.solution, next));
      traded += await tradeRing(ctx, run, { ...next, legs });
      continue;
    }
    await inTransaction(ctx.db, (trx) => endRound(trx, ctx, { run, rounds, rings, numbers }));
    if ((await store.findRun(ctx.db, run.day))?.state === 'done') return traded;
  }
  return traded;
}

/** Freezes the market under random numbers. */
async function freeze(trx: Trx, ctx: Context, run: store.RunRow): Promise<void> {
  if ((await store.lockRun(trx, run.day)) !== run.state) return;
  const offered = await readOffered(trx, ctx, run);
  const { graph, numbers } = numbered(offered, drawNumbers);
  await store.insertRound(trx, run.day, { round: 1, graph });
  await store.insertNumbers(trx, run.day, numberRows(offered, numbers));
  const people = numbers.people.size;
  await store.moveRun(trx, run.day, { state: 'trading', people, coupons: graph.coupons.length });
}

/** What can be traded now. @param agreedUntil what was agreed to later takes no part */
export async function readOffered(
  trx: Trx,
  ctx: Context,
  run: Pick<store.RunRow, 'day' | 'at'>,
  agreedUntil = asOf(run, ctx.clock()).agreedUntil,
): Promise<Offered> {
  const now = ctx.clock();
  const offered = await graphs.readOffered(trx, {
    ...{ day: run.day, now, agreedUntil },
    connected: connectedOf(ctx),
    confirmedSince: addDays(now, -1),
  });
  const allowances = new Map<number, number>();
  for (const userId of new Set(offered.wants.map((want) => want.userId))) {
    const ladder = await dealsLeft(trx, userId, now);
    if (ladder) allowances.set(userId, Math.max(0, ladder.left));
  }
  return { ...offered, allowances };
}

function drawNumbers({ length }: readonly number[]): number[] {
  const drawn = new Set<number>();
  while (drawn.size < length) drawn.add(randomInt(1, NUMBERS));
  return [...drawn];
}

function numberRows({ coupons, wants }: Offered, numbers: Numbered['numbers']): store.NumberRow[] {
  const rowsOf = (
    kind: store.NumberRow['kind'],
    of: ReadonlyMap<number, number>,
    ownerOf: (id: number) => { userId: number; couponUpdatedAt?: Date },
  ) =>
    [...of].map(([subjectId, number]) => ({
      kind,
      number,
      subjectId,
      couponUpdatedAt: null,
      ...ownerOf(subjectId),
    }));
  const couponById = new Map(coupons.map((coupon) => [coupon.id, coupon]));
  const wantById = new Map(wants.map((want) => [want.id, want]));
  return [
    ...rowsOf('person', numbers.people, (userId) => ({ userId })),
    ...rowsOf('coupon', numbers.coupons, (id) => {
      const coupon = couponById.get(id);
      if (!coupon) throw new Error(`Coupon ${id} has a number and is not there`);
      return { userId: coupon.ownerId, couponUpdatedAt: coupon.updatedAt };
    }),
    ...rowsOf('wish', numbers.wishes, (id) => ({ userId: wantById.get(id)?.userId ?? 0 })),
  ];
}

function tradesOf({ trades }: Solution, ring: Pick<store.RingRow, 'trades'>): MarketDayTrade[] {
  return ring.trades.flatMap((place) => trades[place] ?? []);
}

/** Trades one ring, or drops it. @returns how many coupons have changed hands */
async function tradeRing(
  ctx: Context,
  run: store.RunRow,
  ring: { round: number; place: number; legs: readonly graphs.Frozen[] },
): Promise<number> {
  const { legs, round, place } = ring;
  const key = { on: run.day, round, place };
  try {
    return await inTransaction(ctx.db, async (trx) => {
      await lockCoupons(
        trx,
        legs.map(({ couponId }) => couponId),
      );
      if (!(await store.lockRing(trx, key))) return 0;
      const spoilt = await graphs.listSpoilt(trx, { ...asOf(run, ctx.clock()), legs });
      const exchangeId = spoilt.length > 0 ? null : await tradeOnMarketDay(trx, ctx, { day: run.day, legs });
      await store.endRing(trx, { ...key, exchangeId });
      return exchangeId === null ? 0 : legs.length;
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ ...key, reason: error.code }, 'a ring of market day was dropped');
    await inTransaction(ctx.db, async (trx) => {
      if (await store.lockRing(trx, key)) await store.endRing(trx, { ...key, exchangeId: null });
    });
    return 0;
  }
}

/** The rows of a day's numbers. */
interface Numbers {
  readonly coupons: ReadonlyMap<number, store.NumberRow>;
  readonly wishes: ReadonlyMap<number, store.NumberRow>;
}

async function readNumbers(ctx: Context, day: string): Promise<Numbers> {
  const rows = await store.listNumbers(ctx.db, day);
  const of = (kind: store.NumberRow['kind']) =>
    new Map(rows.filter((row) => row.kind === kind).map((row) => [row.number, row]));
  return { coupons: of('coupon'), wishes: of('wish') };
}

function legsOf({ coupons, wishes }: Numbers, trades: readonly MarketDayTrade[]): graphs.Frozen[] {
  return trades.map(({ wish, takes }) => {
    const coupon = coupons.get(takes);
    const taken = wishes.get(wish);
    if (!coupon?.couponUpdatedAt || !taken) throw new Error(`Coupon ${takes} or wish ${wish} is nobody’s`);
    return {
      couponId: coupon.subjectId,
      updatedAt: coupon.couponUpdatedAt,
      giverId: coupon.userId,
      receiverId: taken.userId,
      wantId: taken.subjectId,
    };
  });
}

/** When all rings of a round have ended: another round with what is left, if a ring was dropped, or the end of the day. */
async function endRound(
  trx: Trx,
  ctx: Context,
  given: {
    readonly run: store.RunRow;
    readonly rounds: readonly store.Round[];
    readonly rings: readonly store.RingRow[];
    readonly numbers: Numbers;
  },
): Promise<void> {
  const { run, rounds, rings, numbers } = given;
  const latest = rounds.at(-1);
  if ((await store.lockRun(trx, run.day)) !== 'trading' || !latest?.solution) return;
  if ((await store.listRounds(trx, run.day)).length > rounds.length) return;
  const { solution, graph, round } = latest;
  const ofRound = rings.filter((ring) => ring.round === round);
  const inRings = (outcome: store.RingRow['outcome']) =>
    ofRound.filter((ring) => ring.outcome === outcome).flatMap((ring) => tradesOf(solution, ring));
  const dropped = inRings('dropped');
  if (dropped.length > 0 && round < ROUNDS_MAX) {
    const legs = legsOf(numbers, dropped);
    const spoilt = await graphs.listSpoilt(trx, { ...asOf(run, ctx.clock()), legs });
    const out = outOf(dropped, legs, spoilt);
    const rest = restOf(graph, { traded: inRings('traded'), out });
    await store.insertRound(trx, run.day, { round: round + 1, graph: rest });
    return;
  }
  const traded = rings
    .filter(({ outcome }) => outcome === 'traded')
    .reduce((sum, { trades }) => sum + trades.length, 0);
  const certificateHash = sha256(certificateText(run, rounds, rings));
  await store.moveRun(trx, run.day, { state: 'done', endedAt: ctx.clock(), traded, certificateHash });
}

/** Which coupons and wishes of dropped trades are out. Where no reason is left, all coupons of them are: one of them has failed. */
function outOf(
  dropped: readonly MarketDayTrade[],
  legs: readonly graphs.Frozen[],
  spoilt: readonly { readonly couponId: number; readonly isWish: boolean }[],
): { coupons: number[]; wishes: number[] } {
  if (spoilt.length === 0) return { coupons: dropped.map(({ takes }) => takes), wishes: [] };
  const reasons = dropped.map((trade, index) => ({
    trade,
    reason: spoilt.find(({ couponId }) => couponId === legs[index]?.couponId),
  }));
  return {
    coupons: reasons.flatMap(({ trade, reason }) => (reason && !reason.isWish ? [trade.takes] : [])),
    wishes: reasons.flatMap(({ trade, reason }) => (reason?.isWish ? [trade.wish] : [])),
  };
}
