import { t } from '@lingui/core/macro';
import { LOCK_MINUTES, type MarketDay, type MarketDayNow } from '#contract/deals/market-days.ts';
import type { Context } from '#server/context/context.ts';
import { addMinutes } from '#server/core/clock.ts';
import { notFound } from '#server/core/errors.ts';
import { addressKey, enforceLimit, type RateLimit } from '#server/core/rate-limit.ts';
import { certificateText, commitmentOf } from './record.ts';
import * as store from './runs-store.ts';

/** The next market day, with what would happen if it were now; null: there is none. */
export async function marketDayNow(ctx: Context): Promise<MarketDayNow> {
  const { isOn, timeZone } = ctx.config.marketDay;
  const run = isOn ? await store.findOpenRun(ctx.db) : undefined;
  if (!run) return null;
  const { day, at, forecast, seed } = run;
  const own = ctx.actor ? await store.countOwn(ctx.db, { ids: forecast, userId: ctx.actor.id }) : 0;
  return {
    ...{ day, timeZone, own },
    at: at.toISOString(),
    locksAt: addMinutes(at, -LOCK_MINUTES).toISOString(),
    coupons: forecast.length,
    commitment: commitmentOf(seed),
  };
}

/** A market day, with the caller's own numbers. @throws AppError not_found */
export async function readMarketDay(ctx: Context, on: string): Promise<MarketDay> {
  const run = await findRun(ctx, on);
  const [rings, neighbours, own] = await Promise.all([
    store.listRings(ctx.db, on),
    store.findNeighbours(ctx.db, on),
    ctx.actor ? ownNumbers(ctx, { on, userId: ctx.actor.id }) : null,
  ]);
  const { day, at, state, seed, people, coupons, traded, certificateHash } = run;
  const sizes = rings.filter(({ outcome }) => outcome === 'traded').map(({ trades }) => trades.length);
  return {
    ...{ day, state, people, coupons, traded, certificateHash, own, ...neighbours },
    at: at.toISOString(),
    commitment: commitmentOf(seed),
    rings: sizes.sort((one, other) => other - one),
    dropped: rings.filter(({ outcome }) => outcome === 'dropped').length,
  };
}

async function findRun({ db }: Context, on: string): Promise<store.RunRow> {
  const run = await store.findRun(db, on);
  if (!run) throw notFound(t`There was no market day on this day`);
  return run;
}

async function ownNumbers(ctx: Context, given: { on: string; userId: number }): Promise<MarketDay['own']> {
  const rows = await store.listOwnNumbers(ctx.db, given);
  const person = rows.find(({ kind }) => kind === 'person');
  if (!person) return null;
  const exchangeIds = await store.listOwnExchanges(ctx.db, given);
  return {
    person: person.number,
    coupons: rows.flatMap(({ kind, number, subjectId, title }) =>
      kind === 'coupon' ? { number, couponId: subjectId, title: title ?? '' } : [],
    ),
    wishes: rows.flatMap(({ kind, number, subjectId }) =>
      kind === 'wish' ? { number, wantId: subjectId } : [],
    ),
    exchangeIds,
  };
}

/** A large one has megabytes, which are put together for each call. */
const CERTIFICATES: RateLimit = { name: 'market-day-certificates', points: 60, seconds: 60 * 60 };

/** What is published of a market day that is over: the text whose hash is in the daily root. @throws AppError not_found, rate_limited */
export async function readCertificate(ctx: Context, on: string): Promise<{ text: string }> {
  await enforceLimit(ctx.limiter, CERTIFICATES, addressKey(ctx.ip));
  const run = await findRun(ctx, on);
  if (run.state !== 'done') throw notFound(t`This market day is not over yet`);
  const [rounds, rings] = await Promise.all([store.listRounds(ctx.db, on), store.listRings(ctx.db, on)]);
  return { text: certificateText(run, rounds, rings) };
}
