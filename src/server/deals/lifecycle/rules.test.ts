import { describe, expect, it } from 'vitest';
import {
  BID_TRANSITIONS,
  type BidSide,
  DEAL_STATUSES,
  type DealStatus,
  EXCHANGE_TRANSITIONS,
  type ExchangeSide,
} from '#contract/deals/deals.ts';
import type { StoredText } from '#server/texts/stored.ts';
import {
  ENDINGS,
  type EndedBid,
  type EndedDeal,
  type EndedExchange,
  endingNews,
  endingTexts,
  giveObstacle,
  judgeMove,
  type RuleReason,
  stateText,
  tradeObstacle,
} from './rules.ts';

const judgeExchange = (from: DealStatus, to: DealStatus, side: ExchangeSide) =>
  judgeMove(EXCHANGE_TRANSITIONS, { from, to, side });
const judgeBid = (from: DealStatus, to: DealStatus, side: BidSide) =>
  judgeMove(BID_TRANSITIONS, { from, to, side });

describe('judgeMove', () => {
  it('allows the moves of the specification and decision 3.3, and no others [spec/2 4.1 4.22]', () => {
    const allowed = DEAL_STATUSES.flatMap((from) =>
      DEAL_STATUSES.flatMap((to) =>
        (['requester', 'owner'] as const)
          .filter((side) => judgeExchange(from, to, side) === 'allowed')
          .map((side) => `${side}: ${from} > ${to}`),
      ),
    );
    expect(allowed.sort()).toEqual([
      'owner: accepted > cancelled',
      'owner: accepted > completed',
      'owner: pending > accepted',
      'owner: pending > rejected',
      'requester: accepted > cancelled',
      'requester: accepted > completed',
      'requester: pending > cancelled',
    ]);
  });

  it('distinguishes the wrong side from a stale state', () => {
    expect(judgeExchange('pending', 'accepted', 'requester')).toBe('forbidden');
    expect(judgeExchange('completed', 'accepted', 'requester')).toBe('forbidden');
    expect(judgeExchange('pending', 'cancelled', 'owner')).toBe('forbidden');
    expect(judgeExchange('completed', 'cancelled', 'owner')).toBe('stale');
    expect(judgeExchange('accepted', 'accepted', 'owner')).toBe('stale');
    expect(judgeExchange('pending', 'completed', 'requester')).toBe('stale');
  });

  it('lets no party move an accepted bid', () => {
    const allowed = DEAL_STATUSES.flatMap((from) =>
      DEAL_STATUSES.flatMap((to) =>
        (['bidder', 'owner'] as const)
          .filter((side) => judgeBid(from, to, side) === 'allowed')
          .map((side) => `${side}: ${from} > ${to}`),
      ),
    );
    expect(allowed.sort()).toEqual([
      // Of a counter-offer.
      'bidder: pending > accepted',
      'bidder: pending > cancelled',
      'owner: pending > accepted',
      'owner: pending > rejected',
    ]);
    expect(judgeBid('accepted', 'cancelled', 'bidder')).toBe('stale');
    expect(judgeBid('accepted', 'cancelled', 'owner')).toBe('forbidden');
    expect(judgeBid('accepted', 'completed', 'owner')).toBe('forbidden');
    expect(judgeBid('completed', 'rejected', 'owner')).toBe('stale');
  });
});

describe('tradeObstacle', () => {
  const coupon = {
    title: 'Two for one',
    isActive: true,
    deletedAt: null,
    category: 'food',
    expiresAt: new Date('2035-06-15T23:59:59.999Z'),
  };

  it('allows a coupon on its last day', () => {
    expect(tradeObstacle(coupon, coupon.expiresAt)).toBeNull();
    expect(tradeObstacle(coupon, new Date('2035-06-16T00:00:00Z'))).toBe('“Two for one” has expired');
    expect(tradeObstacle({ ...coupon, expiresAt: null }, new Date('2999-01-01'))).toBeNull();
  });

  it('refuses public codes and delisted coupons', () => {
    const today = new Date('2035-06-01');
    const personal = 'Public codes are for personal use and can be neither exchanged nor sold';
    expect(tradeObstacle({ ...coupon, category: 'imported' }, today)).toBe(personal);
    expect(tradeObstacle({ ...coupon, category: 'scraped' }, today)).toBe(personal);
    const gone = '“Two for one” is no longer available';
    expect(tradeObstacle({ ...coupon, isActive: false }, today)).toBe(gone);
    expect(tradeObstacle({ ...coupon, deletedAt: today }, today)).toBe(gone);
  });
});

it.each([
  ['its owner', { ownerId: 1 }, null],
  ['somebody else', { ownerId: 2 }, '“Tea” has changed hands in the meantime'],
  ['its owner, who has delisted it,', { ownerId: 1, isActive: false }, '“Tea” is no longer available'],
])('a coupon is handed over by %s or not', (_, over, obstacle) => {
  const tea = { title: 'Tea', isActive: true, deletedAt: null, category: 'food', expiresAt: null };
  expect(giveObstacle({ ...tea, ...over }, 1, new Date())).toBe(obstacle);
});

it('a stale call is told the state of the deal', () => {
  expect(stateText('bid', 'pending')).toBe('This bid is still pending.');
  expect(stateText('exchange', 'completed')).toBe('This exchange is already completed.');
});

const SWAP: EndedExchange = {
  kind: 'exchange',
  id: 5,
  from: 'pending',
  dealKind: 'swap',
  round: 1,
  parties: [
    { id: 1, username: 'ann' },
    { id: 2, username: 'bo' },
  ],
  legs: [
    { couponId: 10, title: 'Tea', giverId: 1, receiverId: 2, isPriced: false },
    { couponId: 11, title: 'Cake', giverId: 2, receiverId: 1, isPriced: false },
  ],
  causeId: 10,
};
const PRICED: EndedExchange = {
  ...SWAP,
  from: 'accepted',
  legs: SWAP.legs.map((leg, at) => ({ ...leg, isPriced: at === 1 })),
};
/** The code of the second coupon is refused, whose title is the first one's. */
const SAME_TITLES: EndedExchange = {
  ...SWAP,
  legs: SWAP.legs.map((leg) => ({ ...leg, title: 'Tea' })),
  causeId: 11,
};
const RING: EndedExchange = { ...SWAP, dealKind: 'ring' };
const BID: EndedBid = {
  kind: 'bid',
  id: 6,
  from: 'pending',
  bidderId: 1,
  ownerId: 2,
  bidderUsername: 'ann',
  ownerUsername: 'bo',
  amount: 1_000,
  round: 1,
  hasBegun: true,
  isAutomatic: false,
  couponId: 10,
  couponTitle: 'Tea',
};
const ACCEPTED = { from: 'accepted' } as const;
const SECOND_ROUND = { round: 2 };

describe('the end of a deal by a rule', () => {
  it.each<[RuleReason, string, string]>([
    ['rival_accepted', 'rejected', 'rejected'],
    ['deadline', 'expired', 'cancelled'],
    ['coupon_expired', 'expired', 'cancelled'],
    ['coupon_deleted', 'cancelled', 'cancelled'],
  ])('by %s is recorded as %s', (reason, action, status) => {
    expect(ENDINGS[reason].action).toBe(action);
    expect(endingNews(BID, reason)).toEqual({ event: `bid.${status}`, data: { couponIds: [10], status } });
    const data = { couponIds: [10, 11], status };
    expect(endingNews(SWAP, reason)).toEqual({ event: `exchange.${status}`, data });
  });

  it.each<[EndedDeal, RuleReason, closedId: number | undefined, first: string, second: string]>([
    [SWAP, 'rival_accepted', undefined, 'rivalAccepted', 'rivalAccepted'],
    [{ ...SWAP, causeId: null }, 'deadline', undefined, 'deadline.swapUnanswered', 'deadline.swapUnanswered'],
    [
      { ...SWAP, ...SECOND_ROUND },
      'deadline',
      undefined,
      'deadline.counterUnanswered',
      'deadline.counterUnanswered',
    ],
    [
      { ...RING, ...SECOND_ROUND },
      'deadline',
      undefined,
      'deadline.ringUnanswered',
      'deadline.ringUnanswered',
    ],
    [{ ...SWAP, ...ACCEPTED }, 'deadline', undefined, 'deadline.uncompleted', 'deadline.uncompleted'],
    [PRICED, 'deadline', undefined, 'deadline.bidUnpaid', 'deadline.bidUnpaid'],
    [SWAP, 'party_left', 1, 'party_left.own', 'party_left.other'],
    [SWAP, 'party_banned', 2, 'party_banned.other', 'party_banned.own'],
    [RING, 'party_banned', 2, 'party_banned.named', 'party_banned.own'],
    [RING, 'party_banned', 9, 'party_banned.other', 'party_banned.other'],
    [SWAP, 'code_refused', undefined, 'exchange.ownCodeRefused', 'exchange.otherCodeRefused'],
    [SAME_TITLES, 'code_refused', undefined, 'exchange.otherCodeRefused', 'exchange.ownCodeRefused'],
    [SWAP, 'coupon_changed', undefined, 'exchange.coupon_changed', 'exchange.coupon_changed'],
    [BID, 'rival_accepted', undefined, 'rivalAccepted', 'rivalAccepted'],
    [BID, 'deadline', undefined, 'deadline.bidUnanswered', 'deadline.bidUnanswered'],
    [
      { ...BID, ...SECOND_ROUND },
      'deadline',
      undefined,
      'deadline.counterUnanswered',
      'deadline.counterUnanswered',
    ],
    [
      { ...BID, ...ACCEPTED, ...SECOND_ROUND },
      'deadline',
      undefined,
      'deadline.bidUnpaid',
      'deadline.bidUnpaid',
    ],
    [
      { ...BID, ...ACCEPTED, hasBegun: false },
      'deadline',
      undefined,
      'deadline.bidNotBegun',
      'deadline.bidNotBegun',
    ],
    [BID, 'party_banned', 1, 'party_banned.own', 'party_banned.other'],
    [BID, 'party_left', 2, 'party_left.other', 'party_left.own'],
    [BID, 'coupon_expired', undefined, 'bid.coupon_expired', 'bid.coupon_expired'],
  ])('tells each of the two why (%#)', (deal, reason, closedId, ...kinds) => {
    const { parties } = endingTexts(deal, reason, closedId);
    expect(parties.map(({ userId }) => userId)).toEqual([1, 2]);
    const why = parties.map(({ text }) => (text.parameters.why as StoredText).kind);
    expect(why).toEqual(kinds.map((kind) => `endReason.${kind}`));
  });

  it('tells of an exchange with whom it was, what for, and whether money comes back', () => {
    const { deal, mailSubject, parties } = endingTexts(PRICED, 'code_refused');
    expect(deal).toEqual({ dealType: 'exchange', dealId: 5 });
    expect(mailSubject.kind).toBe('endedExchange.subject');
    const own = { kind: 'endReason.exchange.ownCodeRefused', parameters: { coupon: 'Tea' } };
    const why = { kind: 'endReason.exchange.otherCodeRefused', parameters: { coupon: 'Tea', giver: 'ann' } };
    expect(parties.map(({ text }) => text)).toEqual([
      {
        kind: 'endedExchange.swap',
        parameters: { others: ['bo'], given: ['Tea'], got: ['Cake'], isPriced: true, why: own },
      },
      {
        kind: 'endedExchange.swap',
        parameters: { others: ['ann'], given: ['Cake'], got: ['Tea'], isPriced: true, why },
      },
    ]);
    const isPriced = ({ text }: { text: StoredText }) => text.parameters.isPriced;
    const before = endingTexts({ ...PRICED, from: 'pending' }, 'deadline');
    const unpriced = endingTexts({ ...SWAP, ...ACCEPTED }, 'deadline');
    expect([...before.parties, ...unpriced.parties].map(isPriced)).toEqual([false, false, false, false]);
    const [changed] = endingTexts(SWAP, 'coupon_changed').parties;
    expect(changed?.text.parameters.why).toMatchObject({ parameters: { coupon: 'Tea' } });
    const refused = endingTexts({ ...SWAP, causeId: 11 }, 'code_refused').parties;
    expect(refused.map(({ text }) => text.parameters.why)).toMatchObject([
      { parameters: { coupon: 'Cake', giver: 'bo' } },
      { parameters: { coupon: 'Cake' } },
    ]);
    const [named] = endingTexts(RING, 'party_left', 2).parties;
    expect(named?.text.parameters.why).toMatchObject({ parameters: { name: 'bo' } });
  });

  it.each<[Pick<EndedBid, 'from' | 'isAutomatic'>, RuleReason, string]>([
    [BID, 'rival_accepted', 'declined'],
    [BID, 'deadline', 'cancelled'],
    [{ from: 'accepted', isAutomatic: false }, 'deadline', 'cancelled'],
    [{ from: 'accepted', isAutomatic: true }, 'deadline', 'purchaseCancelled'],
    [{ from: 'accepted', isAutomatic: true }, 'party_left', 'purchaseCancelled'],
  ])('tells what became of a bid, or of a purchase at the asking price (%#)', (given, reason, ending) => {
    const { deal, mailSubject, parties } = endingTexts({ ...BID, ...given }, reason);
    expect([deal, mailSubject.kind]).toEqual([{ dealType: 'bid', dealId: 6 }, `endedBid.${ending}.subject`]);
    const facts = { amount: 1_000, bidder: 'ann', owner: 'bo', coupon: 'Tea' };
    expect(parties.map(({ text }) => text)).toEqual(
      ['bidder', 'owner'].map((side) => ({
        kind: `endedBid.${ending}.${side}`,
        parameters: expect.objectContaining(facts),
      })),
    );
  });
});
