import { describe, expect, it } from 'vitest';
import { DEAL_STATUSES, EXCHANGE_TRANSITIONS, type ExchangeSide } from '#contract/deals.ts';
import { anExchange } from '#web/testing/builders.ts';
import { ACT_STATUS, actsFor, couponsOf, otherParty, receivedCoupon, sideOf } from './sides.ts';

const SIDES: ExchangeSide[] = ['requester', 'owner'];

describe('the actions shown', () => {
  // Spec/2 section 4 and decisions 3.3.
  it.each([
    ['pending', 'owner', ['accept', 'reject']],
    ['pending', 'requester', ['revise', 'cancel']],
    ['accepted', 'owner', ['complete', 'cancel']],
    ['accepted', 'requester', ['complete', 'cancel']],
    ['rejected', 'owner', []],
    ['rejected', 'requester', []],
    ['completed', 'owner', []],
    ['completed', 'requester', []],
    ['cancelled', 'owner', []],
    ['cancelled', 'requester', []],
  ] as const)('of a %s exchange to its %s are %j', (status, side, acts) => {
    expect(actsFor(status, side)).toEqual(acts);
  });

  it('cover every move of the contract, and no other', () => {
    for (const status of DEAL_STATUSES) {
      for (const side of SIDES) {
        const shown = actsFor(status, side).filter((act) => act !== 'revise');
        const allowed = DEAL_STATUSES.filter((to) => EXCHANGE_TRANSITIONS[status][to]?.includes(side));
        expect(new Set(shown.map((act) => ACT_STATUS[act]))).toEqual(new Set(allowed));
      }
    }
  });
});

describe('the sides of an exchange', () => {
  const exchange = anExchange({ requesterId: 1, requestedCouponOwnerId: 2 });

  it('are told by id', () => {
    expect(sideOf(exchange, 1)).toBe('requester');
    expect(sideOf(exchange, 2)).toBe('owner');
  });

  it('give their own coupon and get the other one', () => {
    expect(couponsOf(exchange, 'requester')).toEqual({
      gives: exchange.offeredCoupon,
      gets: exchange.requestedCoupon,
    });
    expect(couponsOf(exchange, 'owner')).toEqual({
      gives: exchange.requestedCoupon,
      gets: exchange.offeredCoupon,
    });
    expect(otherParty(exchange, 'owner')).toBe(exchange.requesterUsername);
  });

  it('have a new coupon only after completion, and only while it is still theirs', () => {
    const { requestedCoupon, offeredCoupon } = exchange;
    const done = {
      ...exchange,
      status: 'completed' as const,
      requestedCoupon: { ...requestedCoupon, ownerId: 1 },
      offeredCoupon: { ...offeredCoupon, ownerId: 2 },
    };
    expect(receivedCoupon(exchange, 1)).toBeNull();
    expect(receivedCoupon(done, 1)?.id).toBe(requestedCoupon.id);
    expect(receivedCoupon(done, 2)?.id).toBe(offeredCoupon.id);
    const passedOn = { ...done, requestedCoupon: { ...requestedCoupon, ownerId: 3 } };
    expect(receivedCoupon(passedOn, 1)).toBeNull();
  });
});
