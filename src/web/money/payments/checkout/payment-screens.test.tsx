import { act, fireEvent, screen } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { Link, Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/base/errors.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { checkoutProblem, isUnavailable, PaymentProblem, setupProblem } from './checkout-states.tsx';
import type { PaymentOutcome } from './payment-outcome.ts';
import { PaymentResult } from './payment-result.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function showProblem(text: string) {
  return renderFor(
    somebody(),
    <>
      <Routes>
        <Route path="/checkout/1" element={<PaymentProblem text={text} />} />
        <Route path="/my-bids" element="The bids" />
        <Route path="/" element="The coupons" />
      </Routes>
      <Link to="/">Explore</Link>
      <Toaster />
    </>,
    '/checkout/1',
  );
}

describe('a bid that cannot be paid', () => {
  it('shows the reason on the page and in a toast [spec/2 2.10 8.8]', async () => {
    showProblem(TEXTS.checkout.notYours());
    await pass(0);
    expect(screen.getByRole('heading', { name: 'Payment Error' })).toBeTruthy();
    expect(screen.getByText('Failed to set up payment')).toBeTruthy();
    expect(screen.getAllByText(TEXTS.checkout.notYours())).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Return to My Bids' }).getAttribute('href')).toBe('/my-bids');
  });

  it('goes back to the bids after three seconds [spec/2 9.11]', async () => {
    showProblem('No');
    await pass(2_999);
    expect(screen.queryByText('The bids')).toBeNull();
    await pass(1);
    expect(screen.getByText('The bids')).toBeTruthy();
  });

  it('does not redirect after the viewer has left the page', async () => {
    showProblem('No');
    fireEvent.click(screen.getByRole('link', { name: 'Explore' }));
    await pass(10_000);
    expect(screen.getByText('The coupons')).toBeTruthy();
  });
});

function showResult(outcome: PaymentOutcome, bidId: number | null = 7) {
  renderFor(
    somebody(),
    <Routes>
      <Route
        path="/payment-complete"
        element={<PaymentResult outcome={outcome} bidId={bidId} bought={null} />}
      />
      <Route path="/my-coupons" element="The coupons" />
    </Routes>,
    '/payment-complete',
  );
}

describe('the result of a payment', () => {
  it('leads to the coupons one and a half seconds after a success [spec/2 4.14 8.18 9.11]', async () => {
    showResult({ kind: 'success', text: TEXTS.paymentResult.successfulText() });
    expect(screen.getByRole('heading', { level: 1, name: 'Payment Successful' })).toBeTruthy();
    expect(screen.getByText('Your payment has been processed successfully!')).toBeTruthy();
    expect(screen.getByText(new RegExp(`for ${HOLD_HOURS} hours`))).toBeTruthy();
    await pass(1_499);
    expect(screen.queryByText('The coupons')).toBeNull();
    await pass(1);
    expect(screen.getByText('The coupons')).toBeTruthy();
  });

  it('stays on screen after a failure, and offers to try again [spec/2 2.12]', async () => {
    showResult({ kind: 'failed', text: TEXTS.paymentResult.notSuccessful(), isUncharged: true });
    await pass(10_000);
    expect(screen.getByRole('heading', { level: 1, name: 'Payment Failed' })).toBeTruthy();
    expect(screen.getByText('We were unable to process your payment')).toBeTruthy();
    expect(screen.getByText('Your payment was not successful, please try again.')).toBeTruthy();
    expect(screen.getByText('There was an issue with your payment. No charges were made.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/checkout/7');
  });

  it('neither says that nothing was charged nor offers to pay again while that is unknown [spec/2 8.17]', () => {
    showResult({ kind: 'failed', text: TEXTS.paymentResult.unavailable(), isUncharged: false });
    expect(screen.queryByText(TEXTS.paymentResult.failedHint())).toBeNull();
    expect(screen.queryByRole('link', { name: 'Try again' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Return to My Bids' })).toBeTruthy();
  });
});

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

describe('the bid of a checkout', () => {
  it('can be paid if it is accepted and the viewer’s own', () => {
    expect(checkoutProblem(good)).toBeNull();
  });

  it('is not refused while it loads', () => {
    expect(checkoutProblem({ ...good, bid: undefined })).toBeNull();
  });

  it('of another person is refused without its status [spec/2 5.5]', () => {
    const bid = { bidderId: 2, status: 'pending' } as const;
    expect(checkoutProblem({ ...good, bid })).toBe(notYours());
  });

  it.each(['pending', 'rejected', 'cancelled', 'completed'] as const)(
    'that is %s is refused [spec/2 5.6]',
    (status) => {
      expect(checkoutProblem({ ...good, bid: { bidderId: 1, status } })).toBe(notAccepted());
    },
  );

  it('that cannot be loaded is refused', () => {
    const bidError = refusal('not_found', 'Bid not found');
    expect(checkoutProblem({ ...good, bid: undefined, bidError })).toBe(bidFailed());
    expect(checkoutProblem({ ...good, bid: undefined, bidError: new TypeError('offline') })).toBe(
      bidFailed(),
    );
  });

  it('is refused as another person’s if the checkout is forbidden', () => {
    const bidError = refusal('not_found', 'Bid not found');
    const checkoutError = refusal('forbidden', notYours());
    expect(checkoutProblem({ ...good, bid: undefined, bidError, checkoutError })).toBe(notYours());
  });
});

describe('a checkout that is refused', () => {
  it('shows the server’s text', () => {
    const checkoutError = refusal('deal_changed', 'The time to pay for this bid is over.');
    expect(checkoutProblem({ ...good, checkoutError })).toBe('The time to pay for this bid is over.');
  });

  it('tells the buyer that the seller has to complete the set-up', () => {
    const checkoutError = refusal('seller_not_ready', sellerMustComplete());
    expect(checkoutProblem({ ...good, checkoutError })).toBe(sellerNotReady());
  });

  it('shows a fallback if the server has no text', () => {
    expect(setupProblem(refusal('internal', 'Something broke'))).toBe(intentFailed());
  });

  it('for lack of a provider is not a problem of the bid', () => {
    const checkoutError = refusal('payments_unavailable', 'Payment System Unavailable');
    expect(isUnavailable(checkoutError)).toBe(true);
    expect(checkoutProblem({ ...good, checkoutError })).toBeNull();
  });
});
