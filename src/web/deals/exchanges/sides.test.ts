import { describe, expect, it } from 'vitest';
import { DEAL_STATUSES, EXCHANGE_TRANSITIONS, type ExchangeSide } from '#contract/deals/deals.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { anExchange, aRing } from '#tests/support/web/builders.ts';
import {
  ACT_STATUS,
  actsFor,
  couponsOf,
  handoversOf,
  otherParties,
  receivedCoupon,
  sideOf,
} from './sides.ts';

const SIDES: ExchangeSide[] = ['requester', 'owner'];
const PEOPLE = { requester: 1, owner: 2 };

describe('the actions shown', () => {
  // Spec/2 section 4 and decisions 3.3.
  it.each([
    ['pending', 'owner', ['accept', 'reject', 'counter']],
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
    expect(actsFor(anExchange({ status }), PEOPLE[side])).toEqual(acts);
  });

  it('end with the fifth round: it is only accepted or declined', () => {
    expect(actsFor(anExchange({ round: 5, replacesId: 6 }), PEOPLE.owner)).toEqual(['accept', 'reject']);
  });

  it('cover every move of the contract, and no other', () => {
    for (const status of DEAL_STATUSES) {
      for (const side of SIDES) {
        const shown = actsFor(anExchange({ status }), PEOPLE[side]).filter(
          (act) => act !== 'revise' && act !== 'counter',
        );
        const allowed = DEAL_STATUSES.filter((to) => EXCHANGE_TRANSITIONS[status][to]?.includes(side));
        expect(new Set(shown.map((act) => ACT_STATUS[act]))).toEqual(new Set(allowed));
      }
    }
  });
});

describe('the sides of an exchange', () => {
  const exchange = anExchange({ requesterId: 1, requestedCouponOwnerId: 2 });

  it('are told by id [spec/2 4.22]', () => {
    expect(sideOf(exchange, 1)).toBe('requester');
    expect(sideOf(exchange, 2)).toBe('owner');
  });

  it('give their own coupon and get the other one', () => {
    expect(couponsOf(exchange, 1)).toEqual({
      gives: [exchange.offeredCoupon],
      gets: [exchange.requestedCoupon],
    });
    expect(couponsOf(exchange, 2)).toEqual({
      gives: [exchange.requestedCoupon],
      gets: [exchange.offeredCoupon],
    });
    expect(otherParties(exchange, 2)).toBe(exchange.requesterUsername);
  });

  it('have a new coupon only after completion, and only while it is still theirs', () => {
    const { requestedCoupon, offeredCoupon } = exchange;
    const ownedBy = (userId: (leg: Exchange['legs'][number]) => number) => ({
      ...exchange,
      status: 'completed' as const,
      legs: exchange.legs.map((leg) => ({ ...leg, coupon: { ...leg.coupon, ownerId: userId(leg) } })),
    });
    const done = ownedBy(({ receiverId }) => receiverId);
    expect(receivedCoupon(exchange, 1)).toBeNull();
    expect(receivedCoupon(done, 1)?.id).toBe(requestedCoupon.id);
    expect(receivedCoupon(done, 2)?.id).toBe(offeredCoupon.id);
    expect(
      receivedCoupon(
        ownedBy(() => 3),
        1,
      ),
    ).toBeNull();
  });
});

describe('a ring', () => {
  it('begins with what the viewer gives and ends with what they get', () => {
    const said = handoversOf(aRing(), 2).map(
      ({ giver, coupon, receiver }) => `${giver} ${coupon.title} ${receiver}`,
    );
    expect(said).toEqual(['null Cake rob', 'rob Tea bo', 'bo Pie null']);
  });

  it('of market day shows a viewer their neighbours alone, however many people it has', () => {
    const [cake, tea, pie] = aRing().legs;
    if (!cake || !tea || !pie) throw new Error('A ring has three legs');
    const between = Array.from({ length: 97 }, (_, index) => ({
      ...{ ...tea, giverId: 100 + index, giverUsername: `p${index}` },
      ...{ receiverId: 101 + index, receiverUsername: `p${index + 1}` },
    }));
    const ring = aRing({ marketDay: '2026-11-29', legs: [cake, tea, ...between, pie] });
    const parties = between.map(({ giverId: id, giverUsername: username }) => {
      return { ...ring.parties[0], id, username } as Exchange['parties'][number];
    });
    const long = { ...ring, parties: [...ring.parties, ...parties] };
    expect(otherParties(long, 2)).toBe('rob and bo');
    expect(handoversOf(long, 2).map(({ giver, receiver }) => [giver, receiver])).toEqual([
      [null, 'rob'],
      ['bo', null],
    ]);
    // Somebody who gives twice.
    const twice = { ...ring, legs: [...ring.legs, { ...cake, place: 9 }] };
    expect(handoversOf(twice, 2).filter(({ giver }) => giver === null)).toHaveLength(2);
  });

  it('is agreed to once by each, and can be declined until all have', () => {
    expect(actsFor(aRing(), 1)).toEqual(['cancel']);
    expect(actsFor(aRing(), 2)).toEqual(['accept', 'reject']);
    expect(actsFor(aRing({ agreed: [1, 2] }), 2)).toEqual(['reject']);
    expect(actsFor(aRing({ status: 'accepted', agreed: [1, 2, 3] }), 3)).toEqual(['complete', 'cancel']);
  });
});
