import {
  BOOKS_DAYS,
  type BooksFigures,
  type BooksPeriod,
  SMALLEST_COUNT,
} from '#contract/oversight/proofs.ts';
import { addDays } from '#server/core/clock.ts';
import type { Trx } from '#server/database/client.ts';
import { recentMarketDays } from '#server/deals/market-days/service.ts';
import * as store from './books-store.ts';

/** A count as it may be published. @returns null where it could name somebody */
function published(count: number): number | null {
  return count > 0 && count < SMALLEST_COUNT ? null : count;
}

/** A figure of some, as it may be published: null where it is of too few. */
function ofEnough<Figure>(count: number, figure: Figure): Figure | null {
  return count < SMALLEST_COUNT ? null : figure;
}

/** Market days of so many days are in a day’s books: an outage of a few does not lose one. */
const MARKET_DAYS = 7;

const rounded = (value: number) => Math.round(value * 10) / 10;

function periodOf(row: store.PeriodRow): BooksPeriod {
  const deals = row.swaps + row.sales;
  const hours = (count: number, value: number | null) =>
    ofEnough(count, value === null ? null : rounded(value));
  const mayDivide = deals >= SMALLEST_COUNT && published(row.claims) !== null;
  return {
    swaps: published(row.swaps),
    sales: published(row.sales),
    claims: published(row.claims),
    claimsPer100: mayDivide ? rounded((100 * row.claims) / deals) : null,
    granted: published(row.granted),
    declined: published(row.declined),
    withdrawn: published(row.withdrawn),
    open: published(row.open),
    hoursToAnswer: hours(row.answers, row.hoursToAnswer),
    hoursToDecide: hours(row.decisions, row.hoursToDecide),
    hoursOldest: row.hoursOldest === null ? null : rounded(row.hoursOldest),
  };
}

/** What the market shows of itself, from the deals and the ledger as they are now. */
export async function figuresOf(trx: Trx, now: Date): Promise<BooksFigures> {
  const recent = periodOf(await store.countPeriod(trx, addDays(now, -BOOKS_DAYS), now));
  const all = periodOf(await store.countPeriod(trx, new Date(0), now));
  const money = await store.sumMoney(trx);
  return {
    recent,
    all,
    salesHeld: published(money.salesHeld),
    heldAmount: ofEnough(money.salesHeld, money.heldAmount),
    payoutsWaiting: published(money.payoutsWaiting),
    payoutsAmount: ofEnough(money.payoutsWaiting, money.payoutsAmount),
    reserve: money.reserve,
    marketDays: await recentMarketDays(trx, addDays(now, -MARKET_DAYS)),
  };
}
