import { describe, expect, it } from 'vitest';
import { FEE_PERCENT, feesOf, MIN_BID_CENTS } from './fees.ts';

describe('fees', () => {
  it('are 5% from each party, rounded half up to a cent', () => {
    expect(FEE_PERCENT).toBe(5);
    expect(feesOf(1_000)).toEqual({
      amount: 1_000,
      buyerFee: 50,
      sellerFee: 50,
      platformFee: 100,
      buyerTotal: 1_050,
      netAmount: 950,
    });
    expect(feesOf(309).buyerFee).toBe(15);
    // 15.5 cents is rounded up to 16; twice that is not 10% of the bid.
    expect(feesOf(310)).toMatchObject({ buyerFee: 16, sellerFee: 16, platformFee: 32 });
    expect(feesOf(311).buyerFee).toBe(16);
  });

  it('add up to the cent, for every bid from 3.00 to 2,000.00', () => {
    const wrong = [];
    for (let amount = MIN_BID_CENTS; amount <= 200_000; amount += 1) {
      const fees = feesOf(amount);
      const isWhole = Object.values(fees).every((cents) => Number.isSafeInteger(cents) && cents > 0);
      const exact = amount * FEE_PERCENT;
      const isRounded = 100 * fees.buyerFee - exact <= 50 && exact - 100 * fees.buyerFee < 50;
      const addsUp =
        fees.buyerTotal - fees.platformFee === fees.netAmount &&
        fees.buyerTotal === amount + fees.buyerFee &&
        fees.netAmount === amount - fees.sellerFee;
      if (!isWhole || !isRounded || !addsUp) wrong.push(fees);
    }
    expect(wrong).toEqual([]);
  });
});
