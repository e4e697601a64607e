import { expect, it } from 'vitest';
import type { Terms } from '#server/deals/lifecycle/service.ts';
import { agreedPrices, feeRatesOfLeg } from './decide-prices.ts';

const terms = (basisPoints: number): Terms => ({
  feeRates: { buyer: { basisPoints, minimum: 0 }, seller: { basisPoints, minimum: 0 } },
  guaranteeDays: 0,
});
const [FIVE, SEVEN, NINE] = [terms(500), terms(700), terms(900)];
const rates = (buyer: number, seller: number) => ({
  buyer: { basisPoints: buyer, minimum: 0 },
  seller: { basisPoints: seller, minimum: 0 },
});
const leg = (couponId: number, giverId: number, receiverId: number, amount: string | null) => ({
  ...{ coupon: { id: couponId }, giverId, receiverId },
  price: amount === null ? null : { amount },
});

it.each([
  ['nobody has agreed yet', null, null, rates(900, 900)],
  ['the payer has agreed at five', FIVE, null, rates(500, 900)],
  ['the giver has agreed at seven', null, SEVEN, rates(900, 700)],
  ['both have agreed', FIVE, SEVEN, rates(500, 700)],
])('the price of a leg has fees for each side where %s', (_, payer, giver, expected) => {
  const parties = [
    { id: 1, terms: giver },
    { id: 2, terms: payer },
    { id: 3, terms: terms(100) },
  ];
  expect(feeRatesOfLeg(parties, leg(10, 1, 2, '5.00'), NINE)).toEqual(expected);
});

it('only legs with a price have fees, each by its own people', () => {
  const parties = [
    { id: 1, terms: FIVE },
    { id: 2, terms: SEVEN },
    { id: 3, terms: null },
  ];
  const legs = [leg(10, 1, 2, '5.00'), leg(20, 2, 3, null), leg(30, 3, 1, '2.00')];
  expect(agreedPrices({ legs, parties }, NINE)).toEqual([
    { couponId: 10, feeRates: rates(700, 500) },
    { couponId: 30, feeRates: rates(500, 900) },
  ]);
});
