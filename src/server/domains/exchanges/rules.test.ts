import { describe, expect, it } from 'vitest';
import { DEAL_STATUSES } from '#contract/deals.ts';
import { judgeMove, stateText, tradeObstacle } from './rules.ts';

describe('judgeMove', () => {
  it('allows the moves of the specification and decision 3.3, and no others', () => {
    const allowed = DEAL_STATUSES.flatMap((from) =>
      DEAL_STATUSES.flatMap((to) =>
        (['requester', 'owner'] as const)
          .filter((side) => judgeMove(from, to, side) === 'allowed')
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

  it('tells the wrong side from the wrong moment', () => {
    expect(judgeMove('pending', 'accepted', 'requester')).toBe('forbidden');
    expect(judgeMove('completed', 'accepted', 'requester')).toBe('forbidden');
    expect(judgeMove('pending', 'cancelled', 'owner')).toBe('forbidden');
    expect(judgeMove('completed', 'cancelled', 'owner')).toBe('stale');
    expect(judgeMove('accepted', 'accepted', 'owner')).toBe('stale');
    expect(judgeMove('pending', 'completed', 'requester')).toBe('stale');
  });

  it('says the state as it is', () => {
    expect(stateText('pending')).toBe('This exchange is still pending.');
    expect(stateText('completed')).toBe('This exchange is already completed.');
  });
});

describe('tradeObstacle', () => {
  const coupon = {
    title: 'Two for one',
    isActive: true,
    deletedAt: null,
    category: 'food',
    expiryDate: '2035-06-15',
  };

  it('counts a coupon’s last day in', () => {
    expect(tradeObstacle(coupon, '2035-06-15')).toBeNull();
    expect(tradeObstacle(coupon, '2035-06-16')).toBe('“Two for one” has expired');
    expect(tradeObstacle({ ...coupon, expiryDate: null }, '2999-01-01')).toBeNull();
  });

  it('keeps public codes, and what is gone, out of deals', () => {
    const today = '2035-06-01';
    const personal = 'Public codes are for personal use and cannot be swapped';
    expect(tradeObstacle({ ...coupon, category: 'imported' }, today)).toBe(personal);
    expect(tradeObstacle({ ...coupon, category: 'scraped' }, today)).toBe(personal);
    expect(tradeObstacle({ ...coupon, isActive: false }, today)).toBe('“Two for one” is no longer available');
  });
});
