import type { BidSide, DealStatus } from '#contract/deals/deals.ts';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { AppError } from '#server/core/errors.ts';
import type { BidHappening, BidNow } from '#server/deals/bids/decide.ts';
import type { PastBids } from '#server/deals/bids/rules.ts';
import type { Terms } from '#server/deals/lifecycle/terms.ts';

/** Bids as plain data, and what people do: Ann (1) bids 10 dollars on a coupon of Bo's (2). */

export const AT = new Date('2035-06-15T12:00:00Z');
export const BEFORE = new Date(AT.getTime() - 1);
export const NAMES = { bidder: 'ann', owner: 'bo', coupon: 'Tea' };
/** The terms in force: 5% each, no guarantee. */
export const TERMS: Terms = { feeRates: DEFAULT_FEE_RATES, guaranteeDays: 0 };
const WRITTEN = { bidderUsername: 'ann', ownerUsername: 'bo', couponTitle: 'Tea' };

const COUPON = {
  ...{ ownerId: 2, title: 'Tea', isActive: true, deletedAt: null, category: 'food' },
  isSaleStopped: false,
  expiresAt: AT as Date | null,
  askingPrice: null as string | null,
};

/** A bid in its first round. */
export function bid(
  status: DealStatus,
  over: Partial<BidNow['bid']> = {},
  coupon: object | null = {},
): BidNow {
  return {
    bid: {
      ...{ ...WRITTEN, status, round: 1, amount: '10.00', counterAmount: null, ownerId: 2 },
      ...{ bidderTerms: TERMS, ownerTerms: null, ...over },
    },
    coupon: coupon && { ...COUPON, ...coupon },
    terms: TERMS,
    at: AT,
  };
}

/** What Bo has asked in the second round, which Ann answers. */
export const COUNTERED = { round: 2, counterAmount: '15.00' };
/** What Ann has offered after that, which Bo answers. */
export const THIRD = { round: 3, amount: '12.00' };

const PAST: PastBids = { isNewcomer: false, unpaid: 0, hasLapsedHere: false, hasLapsed: false };

type Happened<Kind extends BidHappening['kind']> = Extract<BidHappening, { kind: Kind }>;

export const place = ({ isNewcomer = false, isBelowFloor = false, fees = null as AppError | null } = {}) => ({
  kind: 'placed' as const,
  bid: { isSellerReady: true, isBelowFloor },
  past: { ...PAST, isNewcomer },
  fees,
});

export const ask = (
  side: BidSide,
  to: Happened<'asked'>['to'],
  over: Partial<Happened<'asked'>> = {},
): Happened<'asked'> => ({ kind: 'asked', side, to, expectedAmount: undefined, fees: null, ...over });

export const counter = (
  side: BidSide,
  amount: string,
  expectedAmount: string,
  { ban = null as AppError | null, fees = null as AppError | null } = {},
): Happened<'countered'> => ({ kind: 'countered', side, amount, expectedAmount, ban, fees });

export const REFUSAL = new AppError('conflict', 'Another room says no');

/** A paid bid, and what it bought. */
export const sale = (status: DealStatus, exchangeId: number | null = null) => ({
  ...WRITTEN,
  ...{ id: 7, status, couponId: 10, exchangeId, bidderId: 1, ownerId: 2, amount: 1_000 },
});
