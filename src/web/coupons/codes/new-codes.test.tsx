import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { continueReissues } from '#server/deals/exchanges/reissuing.ts';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import { setUpApp } from '#tests/support/app.ts';
import { bidOn, moveBid, paySale } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { WAIT_MS } from '#tests/support/patience.ts';
import { MERCHANT } from '#tests/support/voucher-sandbox.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';

/** A programme that makes every code that it is asked for; the network of a page's test reaches our server alone. */
const made: string[] = [];
const server = setUpApp({
  providers: {
    validators: {
      ...openValidators({ adapters: [] }),
      canReissue: (merchant) => merchant === MERCHANT,
      async reissue({ newCode }) {
        made.push(newCode);
        return { kind: 'reissued', code: newCode };
      },
    },
  },
});

const BADGE = 'New code, seen by nobody else';
const NOTE = `You get a new code: ${MERCHANT} retires the old one when the coupon changes hands.`;

function openPage(who: Actor, id: number, query = '') {
  const page = (
    <Routes>
      <Route path="/coupons/:id" element={<CouponPage />} />
    </Routes>
  );
  return renderWithServer(server, who, page, { address: `/coupons/${id}${query}` });
}

it('says before a deal that there is a new code, and after it shows the code as soon as it is made', async () => {
  const { ctx } = server;
  const [seller, buyer] = [await createUser(ctx), await createUser(ctx)];
  const code = 'SEEN-KQZ-4711';
  const { id } = await createCoupon(ctx, seller, { merchant: MERCHANT, code });
  const before = openPage(buyer, id, '?bid=1');
  await screen.findByText(NOTE);
  const bidding = within(await screen.findByRole('dialog', { name: 'Place a Bid' }));
  bidding.getByText(NOTE);
  before.unmount();

  const bid = await bidOn(ctx, buyer, { id });
  await moveBid(ctx, seller, bid.id, 'accepted');
  await paySale(ctx, bid.id);
  openPage(buyer, id);
  fireEvent.click(await screen.findByRole('button', { name: 'Show code' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Your coupon code' }));
  await dialog.findByText('Your new code is on its way');
  expect(screen.queryByText(BADGE)).toBeNull();
  await continueReissues(ctx);
  const shown = await dialog.findByLabelText('Coupon code', {}, { timeout: WAIT_MS });
  expect(shown.textContent).toBe(made.at(-1));
  await screen.findByText(BADGE);
});
