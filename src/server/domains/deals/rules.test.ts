import { describe, expect, it } from 'vitest';
import {
  BID_TRANSITIONS,
  type BidSide,
  DEAL_STATUSES,
  type DealStatus,
  EXCHANGE_TRANSITIONS,
  type ExchangeSide,
} from '#contract/deals.ts';
import { tradeObstacle } from './rules.ts';
import { judgeMove, stateText } from './service.ts';

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

  it('names the current state', () => {
    expect(stateText('exchange', 'pending')).toBe('This exchange is still pending.');
    expect(stateText('bid', 'completed')).toBe('This bid is already completed.');
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
    expect(tradeObstacle(coupon, new Date('2035-06-15T23:59:59Z'))).toBeNull();
    expect(tradeObstacle(coupon, new Date('2035-06-16T00:00:00Z'))).toBe('“Two for one” has expired');
    expect(tradeObstacle({ ...coupon, expiresAt: null }, new Date('2999-01-01'))).toBeNull();
  });

  it('refuses public codes and delisted coupons', () => {
    const today = new Date('2035-06-01');
    const personal = 'Public codes are for personal use and can be neither swapped nor sold';
    expect(tradeObstacle({ ...coupon, category: 'imported' }, today)).toBe(personal);
    expect(tradeObstacle({ ...coupon, category: 'scraped' }, today)).toBe(personal);
    expect(tradeObstacle({ ...coupon, isActive: false }, today)).toBe('“Two for one” is no longer available');
  });
});
