import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { TEXTS } from '#contract/texts.ts';
import { checkoutProblem, isUnavailable, setupProblem } from './checkout-problem.ts';

const { notYours, notAccepted, bidFailed, intentFailed, sellerNotReady, sellerMustComplete } = TEXTS.checkout;

function refusal(code: ErrorCode, error: string) {
  const data = { httpStatus: ERROR_STATUS[code], wire: { error, code } };
  return TRPCClientError.from({ error: { message: error, code: -32_000, data } });
}

const good = {
  viewerId: 1,
  bid: { bidderId: 1, status: 'accepted' },
  bidError: null,
  checkoutError: null,
} as const;

describe('a bid', () => {
  it('that is accepted and the own can be paid', () => {
    expect(checkoutProblem(good)).toBeNull();
  });

  it('that is not known yet is not refused', () => {
    expect(checkoutProblem({ ...good, bid: undefined })).toBeNull();
  });

  it("of somebody else's is refused before its state is told", () => {
    const bid = { bidderId: 2, status: 'pending' } as const;
    expect(checkoutProblem({ ...good, bid })).toBe(notYours);
  });

  it.each(['pending', 'rejected', 'cancelled', 'completed'] as const)('that is %s is refused', (status) => {
    expect(checkoutProblem({ ...good, bid: { bidderId: 1, status } })).toBe(notAccepted);
  });

  it('that could not be read is refused', () => {
    const bidError = refusal('not_found', 'Bid not found');
    expect(checkoutProblem({ ...good, bid: undefined, bidError })).toBe(bidFailed);
    expect(checkoutProblem({ ...good, bid: undefined, bidError: new TypeError('offline') })).toBe(bidFailed);
  });

  it('that strangers cannot read is not theirs', () => {
    const bidError = refusal('not_found', 'Bid not found');
    const checkoutError = refusal('forbidden', notYours);
    expect(checkoutProblem({ ...good, bid: undefined, bidError, checkoutError })).toBe(notYours);
  });
});

describe('a checkout that is refused', () => {
  it('says it in the words of the server', () => {
    const checkoutError = refusal('deal_changed', 'The time to pay for this bid is over.');
    expect(checkoutProblem({ ...good, checkoutError })).toBe('The time to pay for this bid is over.');
  });

  it('tells the buyer what the seller has to do', () => {
    const checkoutError = refusal('seller_not_ready', sellerMustComplete);
    expect(checkoutProblem({ ...good, checkoutError })).toBe(sellerNotReady);
  });

  it('has words where the server has none', () => {
    expect(setupProblem(refusal('internal', 'Something broke'))).toBe(intentFailed);
  });

  it('for want of a provider is no problem of the bid', () => {
    const checkoutError = refusal('payments_unavailable', 'Payment System Unavailable');
    expect(isUnavailable(checkoutError)).toBe(true);
    expect(checkoutProblem({ ...good, checkoutError })).toBeNull();
  });
});
