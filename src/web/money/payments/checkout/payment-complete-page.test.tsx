import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { PAYMENT_STATUSES } from '#contract/money/payments.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { insertHeldSale } from '#tests/support/sales.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as MyCouponsPage } from '#web/pages/my-coupons.tsx';
import { Component as PaymentCompletePage } from '#web/pages/payment-complete.tsx';
import { outcomeOfBoth, outcomeOfIntent, outcomeOfProtection } from './payment-outcome.ts';

/** The exact texts of the result page for a card payment (spec/2 sections 4, 5 and 8). */

const server = setUpApp();
let buyer: Actor;
/** Stripe's answer to a request for the payment. */
let answer: () => { paymentIntent?: { status: string }; error?: { message: string } };

beforeAll(async () => {
  buyer = await createUser(server.ctx);
});
beforeEach(() => {
  // Stripe's loader uses `window.Stripe` if it is there.
  vi.stubGlobal('Stripe', () => ({ retrievePaymentIntent: async () => answer() }));
});

const CLIENT = {
  stripe: { publishableKey: 'pk_live_1', scriptUrl: '/stripe.js' },
  paypal: null,
  isSandbox: false,
};

function show(query: string, { hasStripe = true } = {}) {
  const pages = (
    <Routes>
      <Route path="/payment-complete" element={<PaymentCompletePage />} />
      <Route path="/my-coupons" element={<MyCouponsPage />} />
    </Routes>
  );
  return renderWithServer(server, buyer, pages, {
    address: `/payment-complete${query}`,
    intercept: (procedure) =>
      hasStripe && procedure === 'payments.client' ? Response.json({ result: { data: CLIENT } }) : undefined,
  });
}
const SECRET = '?payment_intent_client_secret=pi_1_secret_2';

async function expectFailure(text: string): Promise<void> {
  await screen.findByText(text);
  screen.getByRole('heading', { name: 'Payment Failed' });
  screen.getByText('We were unable to process your payment');
}

it.each([
  ['succeeded', 'Your payment has been processed successfully!'],
  ['processing', 'Your payment is being processed. The coupon will be available shortly.'],
])('shows a payment that is %s as “%s” [spec/2 7.19]', async (status, text) => {
  answer = () => ({ paymentIntent: { status } });
  show(SECRET);
  await screen.findByText(text);
  screen.getByRole('heading', { name: 'Payment Successful' });
});

it('repeats on My Coupons what to do now [decisions 6.0.11]', async () => {
  answer = () => ({ paymentIntent: { status: 'succeeded' } });
  show(SECRET);
  const advice = /Try the code soon: we hold the seller’s money for 72 hours/;
  await screen.findByText(advice);
  fireEvent.click(screen.getByRole('link', { name: 'Go to My Coupons' }));
  await screen.findByRole('heading', { name: 'My Coupons' });
  screen.getByText(advice);
  press('Hide');
  expect(screen.queryByText(advice)).toBeNull();
});

it('shows the code of what was bought on a press, on the result and on My Coupons, and opens none by itself', async () => {
  answer = () => ({ paymentIntent: { status: 'succeeded' } });
  const { bidId } = await insertHeldSale(server.ctx, buyer, await createUser(server.ctx));
  const reveals = server.ctx.db.selectFrom('couponReveals').select('userId').where('userId', '=', buyer.id);
  show(`${SECRET}&bid=${bidId}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Show code' }));
  await screen.findByLabelText('Coupon code');
  press('Close');
  await screen.findByRole('heading', { name: 'My Coupons' }, { timeout: 5_000 });
  const note = within(screen.getByRole('note'));
  await note.findByRole('button', { name: 'Show code' });
  expect(await reveals.execute()).toHaveLength(1);
  fireEvent.click(note.getByRole('button', { name: 'Show code' }));
  await screen.findByLabelText('Coupon code');
  expect(await reveals.execute()).toHaveLength(2);
});

it.each([
  ['requires_payment_method', 'Your payment was not successful, please try again.'],
  ['canceled', 'Something went wrong with your payment. Status: canceled'],
])('shows a payment that is %s as failed: “%s” [spec/2 4.13]', async (status, text) => {
  answer = () => ({ paymentIntent: { status } });
  show(SECRET);
  await expectFailure(text);
  screen.getByText('There was an issue with your payment. No charges were made.');
});

it("shows 'No payment information found in the URL' for an address without a secret [spec/2 2.27 5.7]", async () => {
  show('');
  await expectFailure('No payment information found in the URL');
});

it("shows 'Payment information could not be retrieved' if Stripe does not have the payment [spec/2 8.15]", async () => {
  answer = () => ({ error: { message: 'No such payment_intent' } });
  show(SECRET);
  await expectFailure('Payment information could not be retrieved');
  expect(screen.queryByText(/No charges were made/)).toBeNull();
});

it("shows 'An unexpected error occurred' if the call to Stripe fails [spec/2 8.16]", async () => {
  answer = () => {
    throw new Error('a bug');
  };
  show(SECRET);
  await expectFailure('An unexpected error occurred');
});

it("shows 'Our payment system is currently unavailable. Please try again later.' without a provider [spec/2 8.14]", async () => {
  show(SECRET, { hasStripe: false });
  await expectFailure('Our payment system is currently unavailable. Please try again later.');
});

it('shows that the payment is being checked [spec/2 2.27]', async () => {
  answer = () => ({ paymentIntent: { status: 'succeeded' } });
  show(SECRET);
  screen.getByRole('heading', { name: 'Checking your payment' });
  await screen.findByRole('heading', { name: 'Payment Successful' });
});

describe('the outcome by our server', () => {
  it('says that nothing was charged only if that is certain', () => {
    const uncharged = PAYMENT_STATUSES.filter((status) => {
      const outcome = outcomeOfProtection({ status });
      return outcome.kind === 'failed' && outcome.isUncharged;
    });
    expect(uncharged).toEqual(['cancelled', 'failed']);
  });
});

describe('the outcome by both', () => {
  const succeeded = outcomeOfIntent('succeeded');

  it('is Stripe’s unless the server knows better', () => {
    expect(outcomeOfBoth(succeeded, undefined)).toBe(succeeded);
    expect(outcomeOfBoth(succeeded, { status: 'open' })).toBe(succeeded);
    expect(outcomeOfBoth({ kind: 'loading' }, { status: 'held' })).toEqual({ kind: 'loading' });
  });

  it('is success if the server has the payment, even if Stripe’s answer is missing', () => {
    const unknown = { kind: 'failed', text: 'No answer', isUncharged: false } as const;
    expect(outcomeOfBoth(unknown, { status: 'held' })).toEqual(succeeded);
    expect(outcomeOfBoth(unknown, { status: 'open' })).toBe(unknown);
  });

  it('is not success if the money goes back', () => {
    expect(outcomeOfBoth(succeeded, { status: 'refunding' })).toEqual({
      kind: 'failed',
      text: TEXTS.paymentResult.otherStatus('refunding'),
      isUncharged: false,
    });
  });
});
