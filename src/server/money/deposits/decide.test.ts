import { describe, expect, it } from 'vitest';
import { claimantOf, type DepositFacts, type GivenLeg, mismatchOf, nextStep, statusAfter } from './decide.ts';

const DAY = 24 * 3_600_000;
const NOW = new Date('2026-12-01T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY);

/** A leg whose code can be claimed for one more day. */
const LEG: GivenLeg = { receiverId: 2, claim: null, claimBy: inDays(1) };
const FACTS: DepositFacts = {
  status: 'authorised',
  authorisedAt: inDays(-3),
  exchange: 'completed',
  given: [LEG],
  isConfirmed: false,
  at: NOW,
};
const OPEN: GivenLeg = { ...LEG, claim: 'open' };
const UPHELD: GivenLeg = { ...LEG, claim: 'upheld' };
const REFUSED: GivenLeg = { ...LEG, claim: 'refused' };
const WITHDRAWN: GivenLeg = { ...LEG, claim: 'withdrawn' };
const OVER: GivenLeg = { ...LEG, claimBy: NOW };
const captured = (given: readonly GivenLeg[]) => ({ status: 'captured', given }) as const;
const authorised = (given: readonly GivenLeg[], more: Partial<DepositFacts> = {}) => ({ given, ...more });

describe('the next step of a deposit', () => {
  it.each<[string, Partial<DepositFacts>, ReturnType<typeof nextStep>]>([
    ['waits for its card while the exchange waits', { status: 'open', exchange: 'accepted' }, 'wait'],
    ['is released unused with the exchange', { status: 'open', exchange: 'cancelled' }, 'release'],
    ['waits for the exchange', { exchange: 'accepted' }, 'wait'],
    ['is released with the exchange', { exchange: 'cancelled' }, 'release'],
    ['waits while there can be a claim', authorised([LEG]), 'wait'],
    ['is released when the time for claims is over', authorised([OVER]), 'release'],
    ['is released when everything works', authorised([LEG], { isConfirmed: true }), 'release'],
    ['is captured by a claim', authorised([OPEN]), 'capture'],
    ['is captured by a claim after everything worked', authorised([OPEN], { isConfirmed: true }), 'capture'],
    ['is captured by a claim that was granted before', authorised([UPHELD]), 'capture'],
    ['is released when the only claim was withdrawn before', authorised([WITHDRAWN]), 'release'],
    ['is released a week after it was authorised', { authorisedAt: inDays(-7) }, 'release'],
    ['waits until then', { authorisedAt: inDays(-6.99) }, 'wait'],
    [
      'is released after a week, also while the exchange waits',
      { authorisedAt: inDays(-7), exchange: 'accepted' },
      'release',
    ],
    [
      'is captured by a claim of the last minute',
      authorised([OPEN], { authorisedAt: inDays(-7) }),
      'capture',
    ],
    ['once captured, waits for the decision', captured([OPEN]), 'wait'],
    ['is paid out when the claim is granted', captured([UPHELD]), 'payOut'],
    ['is paid out by one granted claim beside another', captured([REFUSED, UPHELD]), 'payOut'],
    ['is refunded when the claim is declined', captured([REFUSED]), 'refund'],
    ['is refunded when the claim is withdrawn', captured([WITHDRAWN]), 'refund'],
    ['waits while another claim is open', captured([REFUSED, OPEN]), 'wait'],
    ['waits while another claim can come', captured([REFUSED, LEG]), 'wait'],
    ['is refunded when no other can come', captured([REFUSED, OVER]), 'refund'],
    ['is over once voided', { status: 'voided', given: [OPEN] }, 'wait'],
    ['is over once refunded', { status: 'refunded', given: [OPEN] }, 'wait'],
    ['is over once paid out', { status: 'paid_out', given: [UPHELD] }, 'wait'],
    ['is over once the bank has it', { status: 'charged_back', given: [UPHELD] }, 'wait'],
  ])('%s', (_, facts, step) => {
    expect(nextStep({ ...FACTS, ...facts })).toBe(step);
  });

  it('pays whoever made the granted claim', () => {
    expect(claimantOf([REFUSED, { ...UPHELD, receiverId: 5 }])).toBe(5);
    expect(claimantOf([OPEN])).toBeNull();
  });
});

describe('the status of a deposit', () => {
  const NOTHING = { amount: 1_000, refunded: 0, transferred: 0, lost: 0 };

  it.each([
    ['open', 'open', NOTHING, 'open'],
    ['open', 'authorised', NOTHING, 'authorised'],
    ['authorised', 'voided', NOTHING, 'voided'],
    ['authorised', 'captured', NOTHING, 'captured'],
    ['captured', 'captured', { ...NOTHING, refunded: 999 }, 'captured'],
    ['captured', 'captured', { ...NOTHING, refunded: 1_000 }, 'refunded'],
    ['captured', 'captured', { ...NOTHING, transferred: 1_000 }, 'paid_out'],
    ['captured', 'captured', { ...NOTHING, lost: 1_000 }, 'charged_back'],
    // A report that is older than what we know.
    ['captured', 'authorised', NOTHING, 'captured'],
    ['voided', 'authorised', NOTHING, 'voided'],
    ['paid_out', 'captured', { ...NOTHING, lost: 1_000 }, 'paid_out'],
  ] as const)('%s, reported as %s', (before, provider, moved, after) => {
    expect(statusAfter(before, provider, moved)).toBe(after);
  });

  it('leaves a report of something else to a person', () => {
    const asked = { publicId: 'a', ref: 'pi_1', amount: 1_000 };
    const state = { publicId: 'a', ref: 'pi_1', amount: 1_000, currency: 'CAD' };
    expect(mismatchOf(asked, state, 'CAD')).toBeNull();
    expect(mismatchOf({ ...asked, ref: null }, state, 'CAD')).toBeNull();
    for (const other of [{ publicId: 'b' }, { ref: 'pi_2' }, { amount: 999 }, { currency: 'USD' }])
      expect(mismatchOf(asked, { ...state, ...other }, 'CAD')).not.toBeNull();
  });
});
