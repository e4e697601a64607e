import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createBid, paySale } from '#tests/support/bids.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';

const server = setUpApp();
let sale: Awaited<ReturnType<typeof createBid>>;

beforeEach(async () => {
  const { ctx } = server;
  sale = await createBid(ctx, 'accepted');
  const paymentId = await paySale(ctx, sale.id, 7);
  for (const change of [{ status: 'releasing' }, { status: 'completed', endedAt: ctx.clock() }])
    await ctx.db.updateTable('paymentTransactions').set(change).where('id', '=', paymentId).execute();
  await ctx.db.deleteFrom('couponReservations').where('bidId', '=', sale.id).execute();
});

async function show(who: Actor): Promise<HTMLElement> {
  renderWithServer(server, who, <MyBidsPage />, { address: `/my-bids?bid=${sale.id}` });
  const detail = await screen.findByRole('dialog', { name: `Bid #${sale.id}` });
  return within(detail).findByRole('region');
}

it('the buyer of a final sale is told of the guarantee, and makes a claim with the shop’s answer', async () => {
  const panel = await show(sale.bidder);
  within(panel).getByText(/^Money back from the seller until Jun \d+, 2035, if the code does not work\.$/);
  press('The code no longer works', panel);
  const form = await dialog('The code no longer works');
  fireEvent.change(within(form).getByRole('textbox', { name: /What happened/ }), {
    target: { value: 'The till refuses it since Monday.' },
  });
  press('Send claim', form);
  await within(form).findByText('Tell us what the merchant said, or add a picture');
  fireEvent.change(within(form).getByRole('textbox', { name: /What the merchant said/ }), {
    target: { value: 'All codes of May were cancelled.' },
  });
  press('Send claim', form);
  await screen.findByText('Claim sent');
  await waitFor(() => expect(within(panel).getByRole('heading').textContent).toBe('Your claim is open'));
  within(panel).getByText('All codes of May were cancelled.');
  within(panel).getByRole('button', { name: 'Withdraw claim' });
  expect(within(panel).queryByRole('button', { name: 'The code no longer works' })).toBeNull();
});

it('the seller of a covered sale is told what they could owe, and no button', async () => {
  const panel = await show(sale.owner);
  within(panel).getByText(/^Covered until Jun \d+, 2035: if a claim of the buyer is upheld, you owe \$/);
  expect(within(panel).queryByRole('button')).toBeNull();
});
