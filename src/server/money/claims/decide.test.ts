import { describe, expect, it } from 'vitest';
import { LATE_CLAIMS_MAX } from '#contract/money/guarantee.ts';
import { PAYMENT_STATUSES } from '#contract/money/payments.ts';
import type { Happening } from '#server/money/payments/decide.ts';
import type { Payment } from '#server/money/payments/store.ts';
import { AT, PAYMENT } from '#tests/support/payment-facts.ts';
import * as decide from './decide.ts';

const EARLIER = new Date(AT.getTime() - 1);
const LATER = new Date(AT.getTime() + 1);

const NOT_HELD = 'We no longer hold the money of this sale.';
const DISPUTED =
  'The buyer’s bank disputes this payment. We cannot pay out or refund anything until it has decided.';
const FINAL = 'It is too late for a claim: this sale is final.';
const CLAIMED = 'You made a claim about this code. Withdraw it first.';
const ENDED = 'It is too late for a claim: the guarantee of this sale has ended.';
const AWAITED =
  'The other person can answer until Jun 4, 2035, 12:00 UTC. You can decide after that, or once they have answered.';
const CLOSED = 'This claim is no longer open.';

/** A payment whose hold has just ended. */
const over = (change: Partial<Payment> = {}): Payment => ({ ...PAYMENT, holdUntil: AT, ...change });
const disputed = { isDisputed: true };
const RELEASED: Happening = { what: 'final', notice: 'released' };

it.each([
  ['one granted claim', 1, [], false],
  ['two granted claims', 2, [], true],
  ['two open claims', 0, [0, 0], false],
  ['three open claims', 0, [0, 0, 0], true],
  ['three open claims, one of somebody with a declined one', 0, [0, 0, 1], false],
  ['claims of people with declined ones, which weigh as much as three', 0, [0, 0, 1, 3, 3], true],
])('%s stop somebody’s sales: (granted %i, declined %j) %s', (_, granted, declined, expected) => {
  expect(decide.isSaleToStop({ granted, open: declined.map((count) => ({ declined: count })) })).toBe(
    expected,
  );
});

describe('a hold', () => {
  it.each<[string, Partial<Payment>, hasOpenClaim: boolean, end: Happening | null]>([
    ['that is over makes the sale final', {}, false, RELEASED],
    ['that was over long ago', { holdUntil: EARLIER }, false, RELEASED],
    ['that is not over', { holdUntil: LATER }, false, null],
    ['that has not begun', { holdUntil: null }, false, null],
    ['goes on with a claim', {}, true, null],
    ['goes on in a dispute', disputed, false, null],
    ['of money that is not held', { status: 'refunding' }, false, null],
  ])('%s', (_, change, hasOpenClaim, end) => {
    expect(decide.endOfHold({ payment: over(change), hasOpenClaim, at: AT })).toEqual(end);
  });

  it.each<[string, Partial<Payment>, hasOpenClaim: boolean, isOverdue: boolean]>([
    ['with a claim that nobody has decided gives the money back', {}, true, true],
    ['whose claim was decided meanwhile does not', {}, false, false],
    ['waits in a dispute', disputed, true, false],
    ['that has ended', { status: 'releasing' }, true, false],
  ])('%s', (_, change, hasOpenClaim, isOverdue) => {
    expect(decide.isOverdue({ payment: over(change), hasOpenClaim })).toBe(isOverdue);
  });

  it.each<[string, Partial<Payment>, hasOpenClaim: boolean, isUnheard: boolean]>([
    ['lasts, because its buyer could not act', { holdUntil: LATER }, false, true],
    ['is just over', {}, false, false],
    ['has not begun', { holdUntil: null }, false, false],
    ['has a claim', { holdUntil: LATER }, true, false],
    ['has a dispute', { holdUntil: LATER, ...disputed }, false, false],
    ['has ended', { holdUntil: LATER, status: 'refunded' }, false, false],
  ])('%s', (_, change, hasOpenClaim, isUnheard) => {
    expect(decide.isUnheard({ payment: over(change), hasOpenClaim, at: AT })).toBe(isUnheard);
  });

  it('of an unheard buyer ends with a refund, or a person decides', () => {
    expect(decide.endOfUnheard(true)).toEqual({ what: 'undone', notice: 'unheard' });
    expect(decide.endOfUnheard(false)).toEqual({
      what: 'unclear',
      why: 'The buyer is banned, and our mail with the link to claim has not reached them. The money waits for them.',
    });
  });
});

describe('the buyer', () => {
  it.each<[string, Partial<Payment>, hasOpenClaim: boolean, obstacle: string | null]>([
    ['confirms that the code works', {}, false, null],
    ['of money that is not held', { status: 'releasing', ...disputed }, true, NOT_HELD],
    ['whose bank disputes it', disputed, true, DISPUTED],
    ['who has made a claim', {}, true, CLAIMED],
  ])('%s', (_, change, hasOpenClaim, obstacle) => {
    expect(decide.confirmObstacle({ payment: over(change), hasOpenClaim })).toBe(obstacle);
  });

  it.each<[string, Partial<Payment>, obstacle: string | null]>([
    ['claims while the money is held', { holdUntil: LATER }, null],
    ['claims in a dispute', { holdUntil: LATER, ...disputed }, null],
    ['claims before the hold begins', { holdUntil: null }, null],
    ['is a moment too late', {}, FINAL],
    ['claims about an undone sale', { status: 'refunded' }, NOT_HELD],
  ])('%s', (_, change, obstacle) => {
    expect(decide.claimObstacle(over(change), AT)).toBe(obstacle);
  });

  /** A final sale with a guarantee that has not ended. */
  const covered = { status: 'completed', holdUntil: EARLIER, coverUntil: LATER } as const;
  it.each<[string, Partial<Payment>, obstacle: string | null]>([
    ['claims under the guarantee', covered, null],
    ['claims while the payout is on its way', { ...covered, status: 'releasing' }, null],
    ['has no guarantee', { ...covered, coverUntil: null }, NOT_HELD],
    ['is too late for the guarantee', { ...covered, coverUntil: AT }, ENDED],
    ['has a coupon that expired in the hold', { ...covered, holdUntil: LATER }, ENDED],
    ['has a guarantee that ends with the hold', { ...covered, coverUntil: LATER, holdUntil: LATER }, ENDED],
    ['has a guarantee without a hold', { ...covered, holdUntil: null }, ENDED],
    ['has the money back', { ...covered, status: 'refunded' }, ENDED],
  ])('%s', (_, change, obstacle) => {
    expect(decide.coverObstacle(over(change), AT)).toBe(obstacle);
  });

  it('has a guarantee from the payment on, until the sale is undone', () => {
    const statuses = PAYMENT_STATUSES.filter((status) => decide.isCovered(over({ ...covered, status }), AT));
    expect(statuses).toEqual(['held', 'releasing', 'completed']);
  });

  it('has so many claims under the guarantee, and no more', () => {
    expect(decide.lateClaimsObstacle(LATE_CLAIMS_MAX - 1)).toBeNull();
    expect(decide.lateClaimsObstacle(LATE_CLAIMS_MAX)).toBe(
      'You already have 3 open or upheld claims under the guarantee in the last 180 days.',
    );
  });

  it('gets no money back without the coupon', () => {
    const promised = 'This coupon is part of another deal of yours. Cancel that deal first.';
    expect(([null, 'gone', 'promised'] as const).map(decide.returnOfSaleText)).toEqual([
      null,
      'You have used this coupon or passed it on, so the guarantee has ended.',
      promised,
    ]);
    expect(([null, 'gone', 'promised'] as const).map(decide.returnOfLegText)).toEqual([
      null,
      'You have used this coupon or passed it on, so we cannot refund what you paid for it.',
      promised,
    ]);
  });

  it.each<[string, Parameters<typeof decide.legObstacle>[0], obstacle: string | null]>([
    ['claims after an exchange', { status: 'completed', claimBy: LATER }, null],
    [
      'is too late after an exchange',
      { status: 'completed', claimBy: AT },
      'It is too late for a claim: this exchange is final.',
    ],
    [
      'is too early in an exchange',
      { status: 'accepted', claimBy: null },
      'This exchange is already accepted. You can make a claim once it is completed.',
    ],
  ])('%s', (_, leg, obstacle) => {
    expect(decide.legObstacle(leg, AT)).toBe(obstacle);
  });
});

describe('the reserve', () => {
  it('has a part of the fees of a sale, in whole cents', () => {
    expect(decide.reservePartOf(over({ platformFee: 99, reservePercent: 20 }))).toBe(19);
  });
});

describe('a moderator', () => {
  const open = { isOpen: true, answerBy: null, at: AT };
  const [sale, late] = [{ isLate: false }, { isLate: true }];
  const [refund, release] = [{ isRefund: true }, { isRefund: false }];
  const final = { status: 'completed' } as const;
  type Verdict = Parameters<typeof decide.verdictObstacle>[1];
  type Claim = Partial<Parameters<typeof decide.verdictObstacle>[2]>;
  it.each<[string, Partial<Payment>, Verdict, Claim, obstacle: string | null]>([
    ['refunds', {}, { ...sale, ...refund }, {}, null],
    ['waits for the seller’s answer', {}, { ...sale, ...refund }, { answerBy: LATER }, AWAITED],
    ['hears the seller before paying them, too', {}, { ...sale, ...release }, { answerBy: LATER }, AWAITED],
    ['refunds when the time for an answer is over', {}, { ...sale, ...refund }, { answerBy: AT }, null],
    ['refunds nothing in a dispute', disputed, { ...sale, ...refund }, { isOpen: false }, DISPUTED],
    ['releases in a dispute', disputed, { ...sale, ...release }, {}, null],
    ['is too late', {}, { ...sale, ...release }, { isOpen: false }, CLOSED],
    ['is too late: the money moved', final, { ...sale, ...release }, {}, CLOSED],
    ['grants a late claim', final, { ...late, ...refund }, { answerBy: AT }, null],
    ['refuses a late claim', final, { ...late, ...release }, {}, null],
    ['waits for the answer to a late claim', final, { ...late, ...refund }, { answerBy: LATER }, AWAITED],
    ['is too late for a late claim', { status: 'refunded' }, { ...late, ...release }, {}, CLOSED],
    ['grants no late claim of a held sale', {}, { ...late, ...release }, {}, CLOSED],
  ])('%s', (_, change, verdict, claim, obstacle) => {
    expect(decide.verdictObstacle(over(change), verdict, { ...open, ...claim })).toBe(obstacle);
  });

  it.each<[Verdict, Happening]>([
    [
      { ...sale, ...refund },
      { what: 'undone', notice: 'claim_refunded', note: 'It is so.' },
    ],
    [
      { ...sale, ...release },
      { what: 'final', notice: 'claim_released', note: 'It is so.' },
    ],
    [
      { ...late, ...refund },
      { what: 'awarded', note: 'It is so.' },
    ],
    [
      { ...late, ...release },
      { what: 'claim_ended', notice: 'late_refused', note: 'It is so.' },
    ],
  ])('says what becomes of the payment of a sale (%#)', (verdict, happening) => {
    expect(decide.endOfSaleClaim(verdict, 'It is so.')).toEqual(happening);
  });

  it('says what becomes of what was paid in an exchange', () => {
    const ended = { what: 'claim_ended', notice: null };
    const undone = { what: 'undone', notice: 'claim_refunded' };
    for (const status of PAYMENT_STATUSES) {
      const isBack = ['refunding', 'refunded', 'charged_back'].includes(status);
      expect(decide.endOfLegClaim({ status }, true)).toEqual(isBack ? null : undone);
      expect(decide.endOfLegClaim({ status }, false)).toEqual(ended);
    }
  });
});
