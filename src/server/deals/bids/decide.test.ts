import { describe, expect, it } from 'vitest';
import { BEGIN_MINUTES } from '#contract/base/limits.ts';
import { COUNTER_HOURS, DEAL_STATUSES } from '#contract/deals/deals.ts';
import { AppError } from '#server/core/errors.ts';
import {
  AT,
  ask,
  BEFORE,
  bid,
  COUNTERED,
  counter,
  NAMES,
  place,
  REFUSAL,
  sale,
  TERMS,
  THIRD,
} from '#tests/support/bid-cases.ts';
import { type BidChange, type BidHappening, type BidNow, decide } from './decide.ts';
import { decideHold, decideReturn, decideSale, holderOf } from './decide-sale.ts';

/** What follows for a bid from what happens to it. */

const acceptance = (atOnce?: { beginBy: Date | null }): BidChange[] => [
  { kind: 'reserve' },
  { kind: 'setTerms', terms: TERMS },
  { kind: 'move', from: 'pending', to: 'accepted', reason: null, ...(atOnce && { atOnce }) },
  { kind: 'rejectRivals' },
];
type Told = Extract<BidChange, { kind: 'tell' }>['transitions'];
const tell = (amount: number, ...transitions: Told): BidChange => ({
  ...{ kind: 'tell', transitions },
  facts: {
    ...{ ...NAMES, amount },
    ...(transitions.some((one) => one.startsWith('accept')) && { total: amount * 1.05 }),
  },
});
const ended = (to: 'rejected' | 'cancelled', reason: 'by_owner' | 'by_bidder'): BidChange => ({
  ...{ kind: 'move', from: 'pending', to, reason },
});
const ANSWER_BY = new Date(AT.getTime() + COUNTER_HOURS * 3_600_000);
const BEGIN_BY = new Date(AT.getTime() + BEGIN_MINUTES * 60_000);
const ASKING = { askingPrice: '10.00' };

describe('a bid', () => {
  it.each<[string, BidNow, BidHappening, readonly BidChange[]]>([
    ['a bid on a coupon without an asking price', bid('pending'), place(), [tell(1_000, 'place')]],
    [
      'a bid below the lowest price',
      bid('pending'),
      place({ isBelowFloor: true }),
      [tell(1_000, 'placeBelowFloor')],
    ],
    ['a bid on a coupon that is gone', bid('pending', {}, null), place(), [tell(1_000, 'place')]],
    [
      'a bid of the asking price',
      bid('pending', {}, ASKING),
      place(),
      [...acceptance({ beginBy: null }), tell(1_000, 'place', 'acceptAtOnce')],
    ],
    [
      'a bid of the asking price by a new member',
      bid('pending', {}, ASKING),
      place({ isNewcomer: true }),
      [...acceptance({ beginBy: BEGIN_BY }), tell(1_000, 'place', 'acceptToBegin')],
    ],
    ['its acceptance', bid('pending'), ask('owner', 'accepted'), [...acceptance(), tell(1_000, 'accept')]],
    [
      'its acceptance, with the amount',
      bid('pending'),
      ask('owner', 'accepted', { expectedAmount: '10' }),
      [...acceptance(), tell(1_000, 'accept')],
    ],
    [
      'its acceptance in the third round',
      bid('pending', THIRD),
      ask('owner', 'accepted', { expectedAmount: '12.00' }),
      [...acceptance(), tell(1_200, 'accept')],
    ],
    [
      'the acceptance of a counter-offer, at its amount',
      bid('pending', COUNTERED),
      ask('bidder', 'accepted', { expectedAmount: '15.00' }),
      [...acceptance(), tell(1_500, 'acceptCounter')],
    ],
    [
      'its refusal',
      bid('pending'),
      ask('owner', 'rejected', { fees: REFUSAL }),
      [ended('rejected', 'by_owner'), tell(1_000, 'reject')],
    ],
    [
      'a refusal by whoever has made a counter-offer',
      bid('pending', COUNTERED),
      ask('owner', 'rejected'),
      [ended('rejected', 'by_owner'), tell(1_000, 'reject')],
    ],
    [
      'its withdrawal',
      bid('pending'),
      ask('bidder', 'cancelled'),
      [ended('cancelled', 'by_bidder'), tell(1_000, 'withdraw')],
    ],
    [
      'the refusal of a counter-offer',
      bid('pending', COUNTERED),
      ask('bidder', 'cancelled'),
      [ended('cancelled', 'by_bidder'), tell(1_000, 'declineCounter')],
    ],
    [
      'a counter-offer of the owner',
      bid('pending'),
      counter('owner', '15', '10.00'),
      [
        { kind: 'setRound', round: 2, counterAmount: '15.00', ownerTerms: TERMS, answerBy: ANSWER_BY },
        { kind: 'tellCounter', by: 'owner', facts: { ...NAMES, from: 1_000, to: 1_500 } },
      ],
    ],
    [
      'a counter-offer of the bidder',
      bid('pending', COUNTERED),
      counter('bidder', '12', '15.00'),
      [
        {
          ...{ kind: 'setRound', round: 3, amount: '12.00', counterAmount: null },
          ...{ bidderTerms: TERMS, answerBy: ANSWER_BY },
        },
        { kind: 'tellCounter', by: 'bidder', facts: { ...NAMES, from: 1_500, to: 1_200 } },
      ],
    ],
  ])('follows %s', (_, now, happening, changes) => {
    expect(decide(now, happening)).toEqual(changes);
  });
});

const MOVES = [{ couponId: 10, fromUserId: 2, toUserId: 1 }];
const BACK = [{ couponId: 10, fromUserId: 1, toUserId: 2 }];

describe('a sale', () => {
  it('moves its coupon, ends its rivals and counts once', () => {
    expect(decideSale(sale('accepted'))).toEqual([
      { kind: 'move', from: 'accepted', to: 'completed', reason: null },
      { kind: 'addSoldPrice' },
      { kind: 'transfer', moves: MOVES, isReturn: false },
      { kind: 'queueCodes', moves: MOVES, paid: [10] },
      { kind: 'endRivals', overtaken: null },
      { kind: 'count', by: 1 },
      tell(1_000, 'complete'),
    ]);
  });

  it.each(['pending', 'completed', 'rejected', 'cancelled'] as const)('is none of a %s bid', (status) => {
    const refusal = { code: 'deal_changed', message: expect.stringContaining(status) };
    expect(decideSale(sale(status))).toMatchObject(refusal);
  });

  const RETURN: BidChange[] = [
    { kind: 'endRivals', overtaken: null },
    { kind: 'transfer', moves: BACK, isReturn: true },
    { kind: 'delist' },
    { kind: 'free' },
    { kind: 'queueCodes', moves: BACK, paid: [] },
  ];
  const UNDONE: BidChange[] = [{ kind: 'removeSoldPrice' }, { kind: 'count', by: -1 }];
  const holding = { isBuyers: true, otherDeal: null, hasSellerLeft: false };
  const overtaken = { exchangeId: 3 };

  it.each<[string, ReturnType<typeof sale>, Parameters<typeof decideReturn>[1], readonly BidChange[]]>([
    ['takes its coupon back', sale('completed'), holding, [{ kind: 'endClaim' }, ...RETURN, ...UNDONE]],
    [
      'ends the deal that the buyer has promised it to',
      sale('completed'),
      { ...holding, otherDeal: overtaken },
      [{ kind: 'endClaim' }, { kind: 'endRivals', overtaken }, ...RETURN.slice(1), ...UNDONE],
    ],
    [
      'deletes the coupon of a seller who has left',
      sale('completed'),
      { ...holding, hasSellerLeft: true },
      [{ kind: 'endClaim' }, ...RETURN.slice(0, -1), { kind: 'remove' }, ...UNDONE],
    ],
    [
      'only ends the claim if the buyer has passed it on',
      sale('completed'),
      { ...holding, isBuyers: false },
      [{ kind: 'endClaim' }],
    ],
    ['takes back what a price bought', sale('completed', 5), holding, RETURN],
    ['leaves what a price bought', sale('completed', 5), { ...holding, isBuyers: false }, []],
  ])('that is undone %s', (_, purchase, held, changes) => {
    expect(decideReturn(purchase, held)).toEqual(changes);
  });

  const kept = { isBuyers: true, isUsed: false, isPromised: false, isHeld: false };
  it.each([
    [kept, null, true],
    [{ ...kept, isHeld: true }, null, false],
    [{ ...kept, isUsed: true }, 'gone', false],
    [{ ...kept, isPromised: true, isHeld: true }, 'promised', false],
  ])('reserves what may have to go back, once (%#)', (held, obstacle, isToReserve) => {
    expect(decideHold(held)).toEqual({ obstacle, isToReserve });
  });

  it('is held by its bid, and the price of a leg by its exchange', () => {
    expect([holderOf(sale('completed')), holderOf(sale('completed', 5))]).toEqual([
      { bidId: 7 },
      { exchangeId: 5 },
    ]);
  });
});

describe('whatever people do to a bid', () => {
  const coupons = [{}, ASKING, { expiresAt: BEFORE }, { ownerId: 3 }, null];
  const happenings: BidHappening[] = [
    ...[place(), place({ isNewcomer: true })],
    ...(['bidder', 'owner'] as const).flatMap((side) => [
      ...(['accepted', 'rejected', 'cancelled'] as const).flatMap((to) =>
        [undefined, '10.00', '15.00', '12.00'].map((expectedAmount) => ask(side, to, { expectedAmount })),
      ),
      ...['10.00', '15.00', '12.00'].map((expected) => counter(side, '13.00', expected)),
    ]),
  ];
  const decided = DEAL_STATUSES.flatMap((status) =>
    [{}, COUNTERED, THIRD].flatMap((round) =>
      coupons.flatMap((coupon) =>
        happenings.map((happening) => {
          const decision = decide(bid(status, round, coupon), happening);
          const changes = decision instanceof AppError ? [] : decision;
          return { status, happening, kinds: changes.map(({ kind }) => kind), changes };
        }),
      ),
    ),
  );

  it('an ended or accepted one stays as it is', () => {
    const others = decided.filter(
      ({ status, happening }) => status !== 'pending' && happening.kind !== 'placed',
    );
    expect(others.flatMap(({ changes }) => changes)).toEqual([]);
  });

  it('whoever accepts it reserves the coupon, fixes the fees and rejects the others, once each', () => {
    const accepting = decided.filter(({ changes }) =>
      changes.some((change) => change.kind === 'move' && change.to === 'accepted'),
    );
    expect(accepting.length).toBeGreaterThan(0);
    expect(decided.filter(({ kinds }) => kinds.includes('reserve'))).toEqual(accepting);
    for (const { kinds } of accepting)
      expect(kinds).toEqual(['reserve', 'setTerms', 'move', 'rejectRivals', 'tell']);
  });

  it('every change is told of once, last', () => {
    for (const { kinds } of decided.filter(({ changes }) => changes.length > 0)) {
      expect(kinds.filter((kind) => kind.startsWith('tell'))).toEqual(kinds.slice(-1));
    }
  });
});
