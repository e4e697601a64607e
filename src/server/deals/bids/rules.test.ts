import { describe, expect, it } from 'vitest';
import { UNPAID_AT_ASKING_PRICE } from '#contract/base/limits.ts';
import { answerOfAskingPrice, counterProblem, returnObstacle, sideOf } from './rules.ts';

describe('who is who in a bid', () => {
  it('the bidder, the owner, or a stranger', () => {
    const bid = { bidderId: 1, ownerId: 2 };
    expect([1, 2, 3].map((id) => sideOf(bid, id))).toEqual(['bidder', 'owner', null]);
  });
});

describe('a counter-offer', () => {
  const bid = { amount: '10.00', counterAmount: '15.00', askingPrice: '20.00' };

  it.each([
    ['bidder', 1_499, bid, null],
    ['bidder', 1_500, bid, 'Must be less than $15.00 CAD, which you can accept'],
    ['bidder', 1_501, bid, /less than/],
    ['bidder', 9_999, { ...bid, counterAmount: null }, null],
    ['owner', 1_000, bid, 'Must be more than $10.00 CAD, which you can accept'],
    ['owner', 999, bid, /more than/],
    ['owner', 1_001, bid, null],
    ['owner', 2_000, bid, null],
    ['owner', 2_001, bid, 'Must not be more than your asking price, $20.00 CAD'],
    ['owner', 9_999, { ...bid, askingPrice: null }, null],
  ] as const)(
    'of the %s of %i cents is judged by what is on the table (%#)',
    (side, cents, given, problem) => {
      if (problem === null) expect(counterProblem(side, cents, given)).toBeNull();
      else expect(counterProblem(side, cents, given)).toMatch(problem);
    },
  );
});

describe('a bid of the asking price', () => {
  const past = { isNewcomer: false, unpaid: 0, hasLapsedHere: false, hasLapsed: false };
  const newcomer = { ...past, isNewcomer: true };

  it.each([
    ['10.00', true, past, 'accept'],
    ['10.01', true, past, 'accept'],
    ['9.99', true, past, 'wait'],
    ['10.00', false, past, 'wait'],
    ['10.00', true, { ...past, unpaid: UNPAID_AT_ASKING_PRICE - 1 }, 'accept'],
    ['10.00', true, { ...past, unpaid: UNPAID_AT_ASKING_PRICE }, 'wait'],
    ['10.00', true, { ...past, hasLapsed: true }, 'accept'],
    ['10.00', true, { ...past, hasLapsed: true, hasLapsedHere: true }, 'wait'],
    ['10.00', true, newcomer, 'begin'],
    ['9.99', true, newcomer, 'wait'],
    ['10.00', false, newcomer, 'wait'],
    ['10.00', true, { ...newcomer, unpaid: UNPAID_AT_ASKING_PRICE }, 'wait'],
    ['10.00', true, { ...newcomer, hasLapsed: true }, 'wait'],
  ])(
    'is accepted at once unless something stands in the way (%#)',
    (amount, isSellerReady, before, answer) => {
      expect(answerOfAskingPrice({ amount, isSellerReady }, '10.00', before)).toBe(answer);
    },
  );
});

describe('a coupon goes back for its money', () => {
  const kept = { isBuyers: true, isUsed: false, isPromised: false };
  it.each([
    [kept, null],
    [{ ...kept, isUsed: true }, 'gone'],
    [{ ...kept, isBuyers: false }, 'gone'],
    [{ ...kept, isPromised: true }, 'promised'],
    [{ ...kept, isUsed: true, isPromised: true }, 'gone'],
  ])('only while the buyer has it, unused and free', (holding, obstacle) => {
    expect(returnObstacle(holding)).toBe(obstacle);
  });
});
