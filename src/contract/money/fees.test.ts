import { describe, expect, it } from 'vitest';
import {
  DEFAULT_FEE_RATES,
  eachRateText,
  type FeeRates,
  feeRatesSchema,
  feesOf,
  largestBid,
  MAX_FEE_BASIS_POINTS,
  maxFeeMinimum,
  rateText,
  smallestBid,
} from './fees.ts';

const rates = (buyer: [number, number], seller: [number, number]): FeeRates => ({
  buyer: { basisPoints: buyer[0], minimum: buyer[1] },
  seller: { basisPoints: seller[0], minimum: seller[1] },
});

describe('fees', () => {
  it('are 5% from each party, rounded half up to a cent [spec/2 9.1]', () => {
    expect(feesOf(1_000, DEFAULT_FEE_RATES)).toEqual({
      amount: 1_000,
      buyerFee: 50,
      sellerFee: 50,
      platformFee: 100,
      buyerTotal: 1_050,
      netAmount: 950,
    });
    expect(feesOf(309, DEFAULT_FEE_RATES).buyerFee).toBe(15);
    // 15.5 cents is rounded up to 16; twice that is not 10% of the bid.
    const rounded = { buyerFee: 16, sellerFee: 16, platformFee: 32 };
    expect(feesOf(310, DEFAULT_FEE_RATES)).toMatchObject(rounded);
    expect(feesOf(311, DEFAULT_FEE_RATES).buyerFee).toBe(16);
  });

  it('are by default what the rule of 5% gives, for every bid that can be made', () => {
    const wrong = [];
    for (let amount = smallestBid(); amount <= largestBid(); amount += 1) {
      const { buyerFee, sellerFee } = feesOf(amount, DEFAULT_FEE_RATES);
      const fee = Math.floor((amount * 5 + 50) / 100);
      if (buyerFee !== fee || sellerFee !== fee) wrong.push({ amount, buyerFee, sellerFee });
    }
    expect(wrong).toEqual([]);
  });

  it('follow the rate of each side, and are not less than its minimum', () => {
    const given = rates([400, 50], [650, 0]);
    expect(feesOf(1_000, given)).toMatchObject({ buyerFee: 50, sellerFee: 65, platformFee: 115 });
    expect(feesOf(2_000, given)).toMatchObject({ buyerFee: 80, buyerTotal: 2_080, netAmount: 1_870 });
    expect(feesOf(1_000, rates([0, 0], [0, 99]))).toMatchObject({ buyerFee: 0, sellerFee: 99 });
  });

  it.each([
    ['the default', DEFAULT_FEE_RATES],
    ['no fees', rates([0, 0], [0, 0])],
    ['uneven rates', rates([333, 25], [1_275, 199])],
    ['the highest', rates([MAX_FEE_BASIS_POINTS, maxFeeMinimum()], [MAX_FEE_BASIS_POINTS, maxFeeMinimum()])],
  ])('add up to the cent and stay below the bid, at %s [spec/1 3.11]', (_name, given) => {
    const wrong = [];
    for (let amount = smallestBid(); amount <= 200_000; amount += 1) {
      const fees = feesOf(amount, given);
      const isRounded = (['buyer', 'seller'] as const).every((side) => {
        const { basisPoints, minimum } = given[side];
        const [fee, exact] = [fees[`${side}Fee`], amount * basisPoints];
        const isHalfUp = 10_000 * fee - exact <= 5_000 && exact - 10_000 * fee < 5_000;
        return fee === minimum ? 10_000 * fee + 5_000 > exact : isHalfUp && fee > minimum;
      });
      const isWithin =
        Object.values(fees).every((cents) => Number.isSafeInteger(cents) && cents >= 0) &&
        fees.buyerFee < amount &&
        fees.netAmount > 0;
      const addsUp =
        fees.buyerTotal - fees.platformFee === fees.netAmount &&
        fees.buyerTotal === amount + fees.buyerFee &&
        fees.netAmount === amount - fees.sellerFee;
      if (!isRounded || !isWithin || !addsUp) wrong.push(fees);
    }
    expect(wrong).toEqual([]);
  });
});

describe('limits', () => {
  it('of a bid, and of the smallest fee, which is less than a bid', () => {
    expect([smallestBid(), largestBid(), maxFeeMinimum()]).toEqual([300, 1_000_000, 299]);
  });

  it.each([
    [rates([0, 0], [5_000, 299]), undefined],
    [rates([5_001, 0], [0, 0]), 'buyer.basisPoints'],
    [rates([0, -1], [0, 0]), 'buyer.minimum'],
    [rates([0, 0], [-1, 0]), 'seller.basisPoints'],
    [rates([0, 0], [0, 300]), 'seller.minimum Must be at most $2.99 CAD'],
    [{ buyer: DEFAULT_FEE_RATES.buyer }, 'seller'],
  ])('of the rates that an operator may set (%#)', (given, refusal) => {
    const [issue] = feeRatesSchema.safeParse(given).error?.issues ?? [];
    if (refusal) expect(`${issue?.path.join('.')} ${issue?.message}`).toContain(refusal);
    else expect(issue).toBeUndefined();
  });
});

describe('texts about fees', () => {
  it.each([
    [DEFAULT_FEE_RATES, '5% from each party'],
    [rates([400, 0], [650, 0]), '4% from the buyer and 6.5% from the seller'],
    [rates([1_025, 50], [0, 75]), '10.25%, at least $0.50 CAD from the buyer and $0.75 CAD from the seller'],
  ])('name the rate of each side (%#)', (given, text) => {
    expect(eachRateText(given)).toBe(text);
  });

  it('write a rate of nothing as 0%', () => {
    expect(rateText({ basisPoints: 0, minimum: 0 })).toBe('0%');
  });
});
