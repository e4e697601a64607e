import { act, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '#contract/base/errors.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createBid } from '#tests/support/bids.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { useRefresh } from '#web/lib/query-client.ts';
import { touchedBy } from '#web/lib/touches.ts';
import { Component as CheckoutPage } from '#web/pages/checkout.tsx';
import { CheckoutScreen } from './checkout-screen.tsx';

/** The exact texts of a checkout that cannot begin (spec/2 sections 2 and 8). */

const server = setUpApp();
let deal: Awaited<ReturnType<typeof createBid>>;

beforeAll(async () => {
  deal = await createBid(server.ctx, 'accepted');
});

function show(intercept?: Intercept) {
  const pages = (
    <Routes>
      <Route path="/checkout/:bidId" element={<CheckoutPage />} />
      <Route path="/my-bids" element="The bids" />
    </Routes>
  );
  renderWithServer(server, deal.bidder, pages, {
    address: `/checkout/${deal.id}`,
    ...(intercept && { intercept }),
  });
}

function refusal(code: ErrorCode, error: string): Response {
  const data = { code: 'X', httpStatus: ERROR_STATUS[code], wire: { error, code } };
  const answer = { error: { message: error, code: -32_000, data } };
  return Response.json(answer, { status: ERROR_STATUS[code] });
}

/** Expects the text on the page and in a toast, and the page's heading. */
async function expectProblem(text: string): Promise<void> {
  await screen.findByRole('heading', { name: 'Payment Error' });
  expect(await screen.findAllByText(text)).toHaveLength(2);
}

it("shows 'Failed to fetch bid details' if the bid cannot be loaded [spec/2 8.6]", async () => {
  show((procedure) => (procedure === 'bids.byId' ? brokenAnswer() : undefined));
  await expectProblem('Failed to fetch bid details');
});

it("shows 'Failed to create payment intent' if the payment cannot be prepared [spec/2 8.6]", async () => {
  show((procedure) => (procedure === 'payments.checkout' ? brokenAnswer() : undefined));
  await expectProblem('Failed to create payment intent');
});

it('tells the buyer that the seller has to complete the set-up [spec/2 8.7]', async () => {
  show((procedure) =>
    procedure === 'payments.checkout'
      ? refusal('seller_not_ready', 'Seller must complete their payment account setup before …')
      : undefined,
  );
  await expectProblem(
    'The seller needs to complete their payment account setup before receiving payments. Please notify them to visit their profile and complete seller onboarding.',
  );
});

it('loads the bid once per visit, whatever live events arrive', async () => {
  const calls: string[] = [];
  let refresh: ReturnType<typeof useRefresh> | undefined;
  function LiveEvents() {
    refresh = useRefresh();
    return null;
  }
  const pages = (
    <>
      <LiveEvents />
      <CheckoutScreen bidId={deal.id} />
    </>
  );
  renderWithServer(server, deal.bidder, pages, {
    intercept: (procedure) => {
      calls.push(procedure);
      return undefined;
    },
  });
  await screen.findByText('Payment System Unavailable');
  await act(async () => refresh?.(...touchedBy({ kind: 'notification' })));
  expect(calls.toSorted()).toEqual(['bids.byId', 'payments.checkout', 'payments.client']);
});

it("shows 'Payment System Unavailable' if no provider is configured [spec/2 2.11]", async () => {
  show();
  await screen.findByText('Payment System Unavailable');
  screen.getByText("We're having trouble loading our payment system. Please try again later.");
  expect(screen.queryByText('Payment Error')).toBeNull();
});
