import { screen } from '@testing-library/react';
import { beforeEach } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { bidOn, makeReady, moveBid } from '#tests/support/bids.ts';
import { createCoupon, createTestClock, createUser, type TestCoupon } from '#tests/support/builders.ts';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';
import { type Intercept, renderWithServer } from './server.tsx';

/** A server with a bidder, and an owner with a coupon (new before each test), and what the page of bids shows. */
export function setUpBids() {
  // Deadlines are shown in hours from now, and the screen uses the computer's clock.
  const server = setUpApp({ clock: createTestClock(new Date()) });
  const bidder = {} as Actor;
  const owner = {} as Actor;
  const coupon = {} as TestCoupon;

  beforeEach(async () => {
    Object.assign(bidder, await createUser(server.ctx));
    Object.assign(owner, await createUser(server.ctx));
    Object.assign(coupon, await createCoupon(server.ctx, owner));
  });

  const place = (amount?: string, who = bidder) => bidOn(server.ctx, who, coupon, amount);
  const move = (who: Actor, id: number, status: 'accepted' | 'rejected' | 'cancelled') =>
    moveBid(server.ctx, who, id, status);

  function show(who: Actor, address = '/my-bids', intercept?: Intercept) {
    return renderWithServer(server, who, <MyBidsPage />, { address, intercept });
  }

  const makeOwnerReady = () => makeReady(server.ctx, owner);

  const card = async (id: number) => {
    const button = await screen.findByRole('button', { name: `Details of bid #${id} on ${coupon.title}` });
    const item = button.closest('li');
    if (!item) throw new Error('the button stands in no list');
    return item;
  };
  const acts = (element: HTMLElement) =>
    [...element.querySelectorAll('button, a[href^="/checkout"]')].map(({ textContent }) => textContent);

  return {
    server,
    bidder,
    owner,
    coupon,
    place,
    move,
    show,
    makeOwnerReady,
    card,
    acts,
  };
}
