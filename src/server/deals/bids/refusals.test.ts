import { describe, expect, it } from 'vitest';
import { ROUNDS_MAX } from '#contract/deals/deals.ts';
import { DEFAULT_FEE_RATES } from '#contract/money/fees.ts';
import { AppError } from '#server/core/errors.ts';
import { ask, BEFORE, bid, COUNTERED, counter, place, REFUSAL, THIRD } from '#tests/support/bid-cases.ts';
import { type BidHappening, type BidNow, decide } from './decide.ts';
import { shownFeesRefusal } from './service.ts';

/** What people cannot do to a bid, and what they are told. */

const BAN = new AppError('forbidden', 'Your account is closed');
const EXPIRED = { expiresAt: BEFORE };
const ROUND_5 = { round: ROUNDS_MAX, amount: '12.00' };

describe('a bid', () => {
  it.each<[string, BidNow, BidHappening, code: string, text: string | RegExp]>([
    [
      'a bid of the asking price on a page with old fees',
      bid('pending', {}, { askingPrice: '10.00' }),
      place({ fees: REFUSAL }),
      'conflict',
      REFUSAL.message,
    ],
    ['the bidder to accept it', bid('pending'), ask('bidder', 'accepted'), 'forbidden', /accept this bid/],
    ['the bidder to reject it', bid('pending'), ask('bidder', 'rejected'), 'forbidden', /reject this bid/],
    ['the owner to withdraw it', bid('pending'), ask('owner', 'cancelled'), 'forbidden', /cancel this bid/],
    [
      'the bidder to accept their own after its end',
      bid('rejected'),
      ask('bidder', 'accepted'),
      'forbidden',
      /accept this bid/,
    ],
    [
      'a second acceptance',
      bid('accepted'),
      ask('owner', 'accepted'),
      'deal_changed',
      'This bid is already accepted.',
    ],
    [
      'a bidder to take back what is binding',
      bid('accepted'),
      ask('bidder', 'cancelled'),
      'deal_changed',
      /Bids are binding/,
    ],
    [
      'a withdrawal after the end',
      bid('rejected'),
      ask('bidder', 'cancelled'),
      'deal_changed',
      'This bid is already rejected.',
    ],
    [
      'a rejection of what is accepted',
      bid('accepted'),
      ask('owner', 'rejected'),
      'deal_changed',
      'This bid is already accepted.',
    ],
    [
      'the owner to accept their own counter-offer',
      bid('pending', COUNTERED),
      ask('owner', 'accepted', { expectedAmount: '15.00' }),
      'deal_changed',
      /other side’s turn/,
    ],
    [
      'the bidder to accept their own answer',
      bid('pending', THIRD),
      ask('bidder', 'accepted', { expectedAmount: '12.00' }),
      'deal_changed',
      /other side’s turn/,
    ],
    [
      'an acceptance without the amount after the first round',
      bid('pending', COUNTERED),
      ask('bidder', 'accepted'),
      'bad_input',
      'Enter the amount that you accept',
    ],
    [
      'an acceptance of an old amount',
      bid('pending', COUNTERED),
      ask('bidder', 'accepted', { expectedAmount: '10.00' }),
      'deal_changed',
      'It is now $15.00 CAD.',
    ],
    [
      'an acceptance of another amount in the first round',
      bid('pending'),
      ask('owner', 'accepted', { expectedAmount: '9.00' }),
      'deal_changed',
      'It is now $10.00 CAD.',
    ],
    ['an acceptance of what is gone', bid('pending', {}, null), ask('owner', 'accepted'), 'not_found', /./],
    [
      'an acceptance of what has expired',
      bid('pending', {}, EXPIRED),
      ask('owner', 'accepted'),
      'coupon_unavailable',
      /has expired/,
    ],
    [
      'an acceptance of somebody’s whose sales are stopped',
      bid('pending', {}, { isSaleStopped: true }),
      ask('owner', 'accepted'),
      'coupon_unavailable',
      /until a moderator has looked/,
    ],
    [
      'an acceptance of what is no longer the owner’s',
      bid('pending', {}, { ownerId: 3 }),
      ask('owner', 'accepted'),
      'coupon_unavailable',
      /changed hands/,
    ],
    [
      'a bid without an asking price on a page with old fees',
      bid('pending'),
      place({ fees: REFUSAL }),
      'conflict',
      REFUSAL.message,
    ],
    [
      'a counter-offer on a page with old fees',
      bid('pending'),
      counter('owner', '15', '10.00', { fees: REFUSAL }),
      'conflict',
      REFUSAL.message,
    ],
    [
      'an acceptance on a page with old fees',
      bid('pending'),
      ask('owner', 'accepted', { fees: REFUSAL }),
      'conflict',
      REFUSAL.message,
    ],
    [
      'a counter-offer to what is accepted',
      bid('accepted'),
      counter('owner', '15', '10.00'),
      'deal_changed',
      'This bid is already accepted.',
    ],
    [
      'a counter-offer out of turn',
      bid('pending'),
      counter('bidder', '9', '10.00'),
      'deal_changed',
      /other side’s turn/,
    ],
    [
      'a counter-offer to another amount',
      bid('pending', COUNTERED),
      counter('bidder', '12', '10.00'),
      'deal_changed',
      'It is now $15.00 CAD.',
    ],
    [
      'a sixth round',
      bid('pending', ROUND_5),
      counter('owner', '15', '12.00'),
      'conflict',
      /^After 5 rounds/,
    ],
    [
      'a counter-offer for what is gone',
      bid('pending', {}, null),
      counter('owner', '15', '10.00'),
      'not_found',
      /./,
    ],
    [
      'a counter-offer for what has expired',
      bid('pending', {}, EXPIRED),
      counter('owner', '15', '10.00', { ban: BAN }),
      'coupon_unavailable',
      /has expired/,
    ],
    [
      'a counter-offer of whoever is banned',
      bid('pending'),
      counter('owner', '15', '10.00', { ban: BAN }),
      'forbidden',
      BAN.message,
    ],
    [
      'a counter-offer of the same amount',
      bid('pending'),
      counter('owner', '10', '10.00'),
      'bad_input',
      'Must be more than $10.00 CAD, which you can accept',
    ],
    [
      'a counter-offer above the asking price',
      bid('pending', {}, { askingPrice: '12.00' }),
      counter('owner', '12.01', '10.00'),
      'bad_input',
      /your asking price, \$12\.00 CAD/,
    ],
    [
      'an answer that is not less',
      bid('pending', COUNTERED),
      counter('bidder', '15', '15.00'),
      'bad_input',
      'Must be less than $15.00 CAD, which you can accept',
    ],
  ])('refuses %s', (_, now, happening, code, text) => {
    const refusal = decide(now, happening);
    const message = typeof text === 'string' ? text : expect.stringMatching(text);
    expect(refusal).toMatchObject({ code, message });
  });

  it('names the field of the amount', () => {
    expect(decide(bid('pending', COUNTERED), ask('bidder', 'accepted'))).toMatchObject({
      issues: [{ path: 'expectedAmount' }],
    });
    expect(decide(bid('pending'), counter('owner', '10', '10.00'))).toMatchObject({
      issues: [{ path: 'amount' }],
    });
  });
});

describe('the fees that a page shows', () => {
  const now = { config: { feeRates: DEFAULT_FEE_RATES } as Parameters<typeof shownFeesRefusal>[0]['config'] };

  it('are those of now, or unknown, or refused with the new ones', () => {
    expect(shownFeesRefusal({ ...now, shownFees: null })).toBeNull();
    expect(shownFeesRefusal({ ...now, shownFees: JSON.stringify(DEFAULT_FEE_RATES) })).toBeNull();
    expect(shownFeesRefusal({ ...now, shownFees: '{}' })).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('The fees have changed: 5%'),
    });
  });
});
