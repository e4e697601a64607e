import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AskInput } from '#contract/people/assistant-requests.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createBid } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { propose, twoPeople } from '#tests/support/exchanges.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as AssistantRequestPage } from './assistant-request.tsx';

const server = setUpApp();
let me: Actor;
beforeEach(async () => {
  me = await createUser(server.ctx);
});

async function ask(who: Actor, input: AskInput): Promise<number> {
  return (await server.trpc(who, 'mutation', 'assistantRequests.ask', input)).json().result.data.id;
}

const open = (who: Actor, id: number) =>
  renderWithServer(
    server,
    who,
    <Routes>
      <Route path="/assistant-requests/:id" element={<AssistantRequestPage />} />
      <Route path="/coupons/:id" element="The price" />
      <Route path="/checkout/:id" element="The checkout" />
    </Routes>,
    { address: `/assistant-requests/${id}` },
  );

const statusOf = async (id: number) =>
  (
    await server.ctx.db
      .selectFrom('exchanges')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status;

describe('the page of what an assistant asks', () => {
  it('says what a swap means, does it by Confirm alone, and then says so', async () => {
    const { requester, owner, offered, requested } = await twoPeople(server.ctx);
    const { id } = await propose(server.ctx, requester, { offered, requested });
    open(owner, await ask(owner, { act: 'accept_swap', subjectId: id }));
    await screen.findByRole('heading', { name: 'Accept exchange' });
    screen.getByText(/Nothing happens unless you confirm it/);
    screen.getByText(/The coupons are then reserved for this exchange/);
    await screen.findByRole('article', { name: offered.title });
    expect(await statusOf(id)).toBe('pending');
    press('Accept');
    await screen.findByText('You have confirmed this.');
    expect(await statusOf(id)).toBe('accepted');
  });

  it('does nothing by Decline', async () => {
    const { requester, owner, offered, requested } = await twoPeople(server.ctx);
    const { id } = await propose(server.ctx, requester, { offered, requested });
    open(owner, await ask(owner, { act: 'accept_swap', subjectId: id }));
    await screen.findByRole('heading', { name: 'Accept exchange' });
    press('Decline');
    await screen.findByText('You have declined this. Nothing was done.');
    expect(await statusOf(id)).toBe('pending');
  });

  it('says what a bid brings, and accepts the amount on screen', async () => {
    const { id, owner } = await createBid(server.ctx);
    open(owner, await ask(owner, { act: 'accept_bid', subjectId: id }));
    await screen.findByText(/You will receive/);
    press('Accept bid');
    await screen.findByText('You have confirmed this.');
    const { status } = (await server.trpc(owner, 'query', 'bids.byId', { id })).json().result.data;
    expect(status).toBe('accepted');
  });

  it('shows a message as it will be sent', async () => {
    const { id, bidder } = await createBid(server.ctx);
    open(bidder, await ask(bidder, { act: 'write_in_bid', subjectId: id, message: 'Is Monday fine?' }));
    await screen.findByText('Is Monday fine?');
    press('Send message');
    await screen.findByText('You have confirmed this.');
  });

  it('shows a code in the browser alone', async () => {
    const coupon = await createCoupon(server.ctx, me, { code: 'PLAIN-SIGHT-5' });
    open(me, await ask(me, { act: 'show_code', subjectId: coupon.id }));
    await screen.findByText(/Your assistant does not get it/);
    expect(document.body.textContent).not.toContain('SIGHT-5');
    press('Show code');
    await screen.findByText('PLAIN-SIGHT-5');
  });

  it('leads to the price and to the checkout, where the person decides again', async () => {
    const coupon = await createCoupon(server.ctx, await createUser(server.ctx));
    open(me, await ask(me, { act: 'buy_coupon', subjectId: coupon.id }));
    await screen.findByRole('heading', { name: 'Buy this coupon?' });
    press('See the price');
    await screen.findByText('The price');
  });

  it('is not found by anybody else', async () => {
    const coupon = await createCoupon(server.ctx, me);
    open(await createUser(server.ctx), await ask(me, { act: 'show_code', subjectId: coupon.id }));
    await screen.findByRole('heading', { name: /404/ });
  });
});
