import { describe, expect, it } from 'vitest';
import type { Bid } from '#contract/deals/bids.ts';
import { aBid, aProtection } from '#tests/support/web/builders.ts';
import { payState } from './sides.ts';
import {
  actWords,
  amountsOf,
  bidSteps,
  charged,
  deadlineText,
  endedBecause,
  netLabel,
  netOf,
  totalLabel,
} from './wording.ts';

const accepted = (given: Partial<Bid> = {}) =>
  aBid({ status: 'accepted', acceptedAt: '2026-11-02T12:00:00.000Z', ...given });
const paid = (given: Partial<Bid> = {}) =>
  accepted({ status: 'completed', completedAt: '2026-11-03T12:00:00.000Z', deadlineAt: null, ...given });

describe('the deadline', () => {
  const deadlineAt = '2026-11-08T12:00:00.000Z';
  it.each([
    ['2026-11-01T12:00:00.000Z', 'pending', 'owner', 'Answer within 7 days.'],
    ['2026-11-06T11:59:59.000Z', 'pending', 'owner', 'Answer within 3 days.'],
    ['2026-11-06T12:00:00.000Z', 'pending', 'bidder', 'To be answered within 48 hours.'],
    ['2026-11-06T14:00:00.000Z', 'accepted', 'bidder', 'Pay within 46 hours.'],
    ['2026-11-08T11:00:00.000Z', 'accepted', 'owner', 'To be paid within 1 hour.'],
    ['2026-11-08T11:30:01.000Z', 'accepted', 'bidder', 'Pay within 30 minutes.'],
    ['2026-11-08T12:00:00.000Z', 'accepted', 'bidder', 'The time to pay is over.'],
    ['2026-11-09T12:00:00.000Z', 'pending', 'owner', 'The time to answer is over.'],
  ] as const)('seen at %s of a %s bid by its %s: %s', (now, status, side, text) => {
    expect(deadlineText(aBid({ status, deadlineAt }), side, new Date(now))).toBe(text);
  });

  it('is null if nothing lapses', () => {
    expect(deadlineText(paid(), 'bidder', new Date())).toBeNull();
  });
});

describe('the state of paying', () => {
  it.each([
    ['payable', accepted()],
    ['payable', accepted({ isSellerReady: false })],
    ['payable', accepted({ protection: aProtection({ status: 'failed' }) })],
    ['under_way', accepted({ protection: aProtection({ status: 'processing' }) })],
    ['paid', paid({ protection: aProtection() })],
    [null, paid({ protection: aProtection({ status: 'refunded' }) })],
    [null, aBid()],
    [null, aBid({ status: 'cancelled', reason: 'deadline' })],
  ] as const)('is %j', (state, bid) => {
    expect(payState(bid)).toBe(state);
  });
});

describe('the amounts', () => {
  it('are labelled by the bid’s status', () => {
    expect(totalLabel(aBid())).toBe('You would pay');
    expect(totalLabel(accepted())).toBe('You pay');
    expect(totalLabel(paid())).toBe('You paid');
    expect(totalLabel(aBid({ status: 'rejected' }))).toBe('You would have paid');
    expect(netLabel(aBid())).toBe('You would receive');
    expect(netLabel(paid({ protection: aProtection() }))).toBe('You will receive');
    expect(netLabel(paid({ protection: aProtection({ status: 'completed' }) }))).toBe('You received');
  });

  it.each(['refunding', 'refunded', 'charged_back'] as const)(
    'say nothing was received once %s',
    (status) => {
      expect(netLabel(paid({ protection: aProtection({ status }) }))).toBe('You would have received');
    },
  );

  it('are what the books say once it is paid, and the bid less the fee before and after', () => {
    const protection = aProtection({ sellerShare: '8.90' });
    expect(netOf(paid({ protection }))).toBe(890);
    expect(netOf(accepted())).toBe(amountsOf(accepted()).netAmount);
    const refunded = paid({ protection: { ...protection, status: 'refunded', sellerShare: '0.00' } });
    expect(netOf(refunded)).toBe(amountsOf(refunded).netAmount);
  });

  it('are those of the counter-offer that the bidder answers, also beside its Accept', () => {
    const countered = aBid({ amount: '7.50', round: 2, counterAmount: '9.50' });
    const total = charged(amountsOf(countered).buyerTotal);
    expect(total).toBe('$9.98 CAD');
    expect(actWords('accepted', countered, 'bidder').paragraphs.join(' ')).toContain(`You will pay ${total}`);
    expect(netOf(countered)).toBe(902);
    expect(actWords('rejected', countered, 'owner').paragraphs.join(' ')).toContain('declined $7.50 CAD');
  });

  it('are named in the confirmation of accepting', () => {
    const { paragraphs } = actWords('accepted', aBid({ amount: '12.34' }), 'owner');
    expect(paragraphs.join(' ')).toContain(
      'bea bids $12.34 CAD. You will receive $11.72 CAD: the bid less the fee (5%).',
    );
    expect(paragraphs.join(' ')).toContain('All other pending bids on this coupon will be rejected');
    expect(paragraphs.join(' ')).toContain('72 hours of buyer protection');
  });
});

describe('the end of a bid', () => {
  it('names who ended it, or which deadline', () => {
    expect(endedBecause(aBid({ reason: 'by_owner' }), 'bidder')).toBe('olga declined this bid.');
    expect(endedBecause(aBid({ reason: 'by_owner' }), 'owner')).toBe('You declined this bid.');
    expect(endedBecause(aBid({ reason: 'deadline' }), 'owner')).toContain('not answered within 7 days');
    expect(endedBecause(accepted({ reason: 'deadline' }), 'owner')).toContain('not paid within 48 hours');
    const notBegun = accepted({ reason: 'deadline', beginBy: '2035-06-15T12:30:00.000Z' });
    expect(endedBecause(notBegun, 'owner')).toBe('Its payment did not begin within 30 minutes.');
  });
});

describe('the steps', () => {
  const names = (bid: Bid) => bidSteps(bid).map(({ name, state }) => `${name} ${state}`);

  it.each([
    [['Proposed done', 'Accepted ahead', 'Paid ahead', 'Final ahead'], aBid()],
    [['Proposed done', 'Rejected ended'], aBid({ status: 'rejected' })],
    [['Proposed done', 'Accepted done', 'Cancelled ended'], accepted({ status: 'cancelled' })],
    [['Proposed done', 'Accepted done', 'Paid done', 'Final ahead'], paid({ protection: aProtection() })],
    [
      ['Proposed done', 'Accepted done', 'Paid done', 'Final done'],
      paid({ protection: aProtection({ status: 'releasing' }) }),
    ],
    [
      ['Proposed done', 'Accepted done', 'Paid done', 'Refunded ended'],
      paid({ protection: aProtection({ status: 'refunded' }) }),
    ],
  ])('are %j', (steps, bid) => {
    expect(names(bid)).toEqual(steps);
  });

  it('have no date for the end while a claim is open', () => {
    const claim = {
      id: 1,
      status: 'open' as const,
      reason: 'No.',
      answerBy: null,
      announcedEnd: null,
      finding: null,
      answer: null,
      createdAt: '2026-11-03T13:00:00.000Z',
      note: null,
      isLate: false,
      shopAnswer: null,
      claimantPictures: [],
      giverPictures: [],
    };
    const last = (bid: Bid) => bidSteps(bid).at(-1)?.when;
    expect(last(paid({ protection: aProtection() }))).toBe('by Nov 4, 2026');
    expect(last(paid({ protection: aProtection({ claim }) }))).toBeUndefined();
  });
});
