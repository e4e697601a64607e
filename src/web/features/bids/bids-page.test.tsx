import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router-dom';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';
import type { Actor } from '#server/domains/context.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { bidOn, moveBid, paySale } from '#server/testing/bids.ts';
import { createCoupon, createTestClock, createUser, type TestCoupon } from '#server/testing/builders.ts';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#web/testing/server.tsx';

let server: TestApp;
let bidder: Actor;
let owner: Actor;
let coupon: TestCoupon;

beforeAll(async () => {
  // Deadlines are shown in hours from now, and the screen uses the computer's clock.
  server = await createTestApp({ clock: createTestClock(new Date()) });
});
afterAll(() => server.close());
beforeEach(async () => {
  bidder = await createUser(server.ctx);
  owner = await createUser(server.ctx);
  coupon = await createCoupon(server.ctx, owner);
});

const place = (amount?: string, who = bidder) => bidOn(server.ctx, who, coupon, amount);
const move = (who: Actor, id: number, status: 'accepted' | 'rejected' | 'cancelled') =>
  moveBid(server.ctx, who, id, status);

function show(who: Actor, address = '/my-bids', intercept?: Intercept) {
  return renderWithServer(server, who, <MyBidsPage />, { address, intercept });
}

/** Gives the owner a Stripe account without going through the set-up. */
async function makeOwnerReady() {
  const now = server.ctx.clock();
  await server.ctx.db
    .insertInto('sellerAccounts')
    .values({
      userId: owner.id,
      provider: 'stripe',
      accountRef: `acct_${owner.id}`,
      isReady: true,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}

const card = async (id: number) => {
  const button = await screen.findByRole('button', { name: `Details of bid #${id} on ${coupon.title}` });
  const item = button.closest('li');
  if (!item) throw new Error('the button stands in no list');
  return item;
};
const acts = (element: HTMLElement) =>
  [...element.querySelectorAll('button, a[href^="/checkout"]')].map(({ textContent }) => textContent);
const press = (name: string | RegExp, inside: HTMLElement = document.body) =>
  fireEvent.click(within(inside).getByRole('button', { name }));
const dialog = (name: string) => screen.findByRole('dialog', { name });
const address = () => screen.getByTestId('address').textContent;

describe('the actions of a bid', () => {
  it.each([
    ['pending', 'bidder', ['Cancel Bid']],
    ['pending', 'owner', ['Accept', 'Reject']],
    ['accepted', 'bidder', ['Pay Now']],
    ['accepted', 'owner', []],
    ['rejected', 'bidder', []],
    ['rejected', 'owner', []],
    ['cancelled', 'owner', []],
    ['completed', 'bidder', ['Payment Completed']],
    ['completed', 'owner', []],
  ] as const)('that is %s are, for its %s, %j', async (status, side, expected) => {
    await makeOwnerReady();
    const { id } = await place();
    if (status === 'accepted' || status === 'completed') await move(owner, id, 'accepted');
    if (status === 'completed') await paySale(server.ctx, id);
    if (status === 'rejected') await move(owner, id, 'rejected');
    if (status === 'cancelled') await move(bidder, id, 'cancelled');
    const isBidder = side === 'bidder';
    show(isBidder ? bidder : owner, isBidder ? '/my-bids' : '/my-bids?tab=received');
    const item = await card(id);
    expect(acts(item)).toEqual([...expected, 'Messages', 'Details']);
    expect(within(item).getByText(status.charAt(0).toUpperCase() + status.slice(1))).toBeTruthy();
  });

  it('link to the checkout, and are disabled after the payment', async () => {
    await makeOwnerReady();
    const { id } = await place();
    await move(owner, id, 'accepted');
    show(bidder);
    const item = await card(id);
    expect(within(item).getByText('Pay within 48 hours')).toBeTruthy();
    const link = within(item).getByRole('link', { name: `Pay Now: $13.13 CAD for ${coupon.title}` });
    expect(link.getAttribute('href')).toBe(`/checkout/${id}`);
    cleanup();
    await paySale(server.ctx, id);
    show(bidder);
    expect(within(await card(id)).getByRole('button', { name: 'Payment Completed' })).toHaveProperty(
      'disabled',
      true,
    );
  });

  it('say what the seller has to do before it can be paid', async () => {
    const { id } = await place();
    await move(owner, id, 'accepted');
    show(bidder);
    const item = await card(id);
    within(item).getByText(`${owner.username} still has to set up a payment account`, { exact: false });
    expect(acts(item)).toEqual(['Messages', 'Details']);
    cleanup();
    show(owner, '/my-bids?tab=received');
    const link = within(await card(id)).getByRole('link', { name: 'Set up a payment account' });
    expect(link.getAttribute('href')).toBe('/seller-onboarding');
  });
});

describe('accepting', () => {
  it('asks for confirmation, names the consequences, and rejects the other bids', async () => {
    const rival = await createUser(server.ctx);
    const low = await place('10.00', rival);
    const high = await place('20.00');
    await makeOwnerReady();
    show(owner, '/my-bids?tab=received');
    press(/^Accept: \$20\.00/, await card(high.id));
    const question = await dialog('Accept this bid?');
    expect(question.textContent).toContain('You will receive $19.00 CAD');
    expect(question.textContent).toContain('All other pending bids on this coupon will be rejected');
    expect(question.textContent).toContain('72 hours of buyer protection');
    expect(question.textContent).not.toContain('You cannot be paid yet');
    press('Accept Bid', question);
    await screen.findByText('Bid accepted successfully');
    expect(acts(await card(high.id))).toEqual(['Messages', 'Details']);
    expect(within(await card(low.id)).getByText('Another bid on this coupon was accepted.')).toBeTruthy();
  });

  it('warns a seller who cannot be paid, with a link to the set-up', async () => {
    const { id } = await place();
    show(owner, '/my-bids?tab=received');
    press(/^Accept:/, await card(id));
    const question = await dialog('Accept this bid?');
    within(question).getByText('You cannot be paid yet');
    const link = within(question).getByRole('link', { name: 'set up a payment account' });
    expect(link.getAttribute('href')).toBe('/seller-onboarding');
    press('Accept Bid', question);
    await screen.findByText('Bid accepted successfully');
  });

  it('too late shows the true state in the toast and the list', async () => {
    const { id } = await place();
    show(owner, '/my-bids?tab=received');
    press(/^Accept:/, await card(id));
    const question = await dialog('Accept this bid?');
    await move(bidder, id, 'cancelled');
    press('Accept Bid', question);
    await screen.findByText('This bid is already cancelled.');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(acts(await card(id))).toEqual(['Messages', 'Details']);
  });
});

describe('rejecting and cancelling', () => {
  it.each([
    ['rejected', 'owner', /^Reject:/, 'Reject this bid?', 'Reject Bid'],
    ['cancelled', 'bidder', /^Cancel Bid:/, 'Cancel your bid?', 'Cancel Bid'],
  ] as const)('a bid: %s', async (status, side, button, title, confirm) => {
    const { id } = await place();
    show(side === 'owner' ? owner : bidder, side === 'owner' ? '/my-bids?tab=received' : '/my-bids');
    press(button, await card(id));
    press(confirm, await dialog(title));
    await screen.findByText(TEXTS.bids.updated(status));
    expect(acts(await card(id))).toEqual(['Messages', 'Details']);
  });

  it('that fails can be tried again', async () => {
    const { id } = await place();
    let isBroken = true;
    show(bidder, '/my-bids', (name) => (isBroken && name === 'bids.setStatus' ? brokenAnswer() : undefined));
    press(/^Cancel Bid:/, await card(id));
    const question = await dialog('Cancel your bid?');
    press('Cancel Bid', question);
    await screen.findByText(TEXTS.bids.updateFailed);
    isBroken = false;
    press('Cancel Bid', question);
    await screen.findByText('Bid cancelled successfully');
  });
});

describe('received bids', () => {
  it('are grouped by coupon, with the highest first and marked', async () => {
    const others = [await createUser(server.ctx), await createUser(server.ctx)] as const;
    await place('10.00', others[0]);
    await place('30.00');
    await place('20.00', others[1]);
    show(owner, '/my-bids?tab=received');
    const offers = await screen.findByRole('list', { name: `Bids on ${coupon.title}` });
    const shown = within(offers).getAllByRole('listitem');
    expect(shown.map((item) => item.textContent?.match(/\$\d+\.00 CAD/)?.[0])).toEqual([
      '$30.00 CAD',
      '$20.00 CAD',
      '$10.00 CAD',
    ]);
    expect(shown.map((item) => within(item).queryByText('Highest Bid') !== null)).toEqual([
      true,
      false,
      false,
    ]);
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('do not show bidders which is the highest', async () => {
    const { id } = await place('30.00');
    show(bidder);
    expect(within(await card(id)).queryByText('Highest Bid')).toBeNull();
  });
});

describe('the details', () => {
  it('open by a link even if the list does not contain the bid', async () => {
    const { id } = await place('12.50');
    show(owner, `/my-bids?show=open&bid=${id}`);
    const detail = await dialog(`Bid #${id}`);
    await within(detail).findByText(/accept or reject the bid/);
    for (const text of ['$12.50 CAD', '−$0.63 CAD', '$11.87 CAD']) within(detail).getByText(text);
    const steps = within(within(detail).getByRole('list', { name: 'Progress of this deal' }));
    expect(
      steps.getAllByRole('listitem').map(({ textContent }) => textContent?.match(/^[A-Z][a-z]+/)?.[0]),
    ).toEqual(['Proposed', 'Accepted', 'Paid', 'Final']);
    press('Close', detail);
    await waitFor(() => expect(address()).toBe('/my-bids?show=open'));
  });

  it.each(['999999', 'nonsense'])('say that there is no bid “%s”', async (id) => {
    show(owner, `/my-bids?bid=${id}`);
    await screen.findByText('This bid was not found');
    press('See your bids');
    await waitFor(() => expect(address()).toBe('/my-bids'));
  });

  it("do not open another person's bid", async () => {
    const { id } = await place();
    show(await createUser(server.ctx), `/my-bids?bid=${id}`);
    await screen.findByText('This bid was not found');
  });

  it('show the result of an action in them', async () => {
    const { id } = await place();
    show(owner, `/my-bids?bid=${id}`);
    const detail = await dialog(`Bid #${id}`);
    fireEvent.click(await within(detail).findByRole('button', { name: /^Reject:/ }));
    press('Reject Bid', await dialog('Reject this bid?'));
    await within(detail).findByText(/You rejected this bid\./);
  });
});

describe('the lists', () => {
  it('are kept in the address, as is the filter', async () => {
    const { id } = await place();
    await move(bidder, id, 'cancelled');
    show(bidder);
    await card(id);
    fireEvent.click(screen.getByRole('radio', { name: 'Open' }));
    await screen.findByText('No open bids');
    expect(address()).toBe('/my-bids?show=open');
    press('Show all bids');
    await card(id);
    fireEvent.click(screen.getByRole('tab', { name: 'Received Bids' }));
    await screen.findByText('Nobody has bid on your coupons yet');
    expect(address()).toBe('/my-bids?tab=received');
    expect(screen.getByRole('link', { name: 'Add a Coupon' })).toBeTruthy();
  });

  it('are refetched at every visit, even within sixty seconds', async () => {
    let reads = 0;
    const pages = (
      <>
        <Routes>
          <Route path="/my-bids" element={<MyBidsPage />} />
          <Route path="/" element="The coupons" />
        </Routes>
        <Link to="/">Explore</Link>
        <Link to="/my-bids">Bids</Link>
      </>
    );
    renderWithServer(server, bidder, pages, {
      address: '/my-bids',
      intercept: (name) => {
        if (name === 'bids.list') reads += 1;
        return undefined;
      },
    });
    await screen.findByText('You have not bid on anything yet');
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'My Bids',
      'Received Bids',
    ]);
    const { id } = await place();
    fireEvent.click(screen.getByRole('link', { name: 'Explore' }));
    fireEvent.click(screen.getByRole('link', { name: 'Bids' }));
    await card(id);
    expect(reads).toBe(2);
  });

  it('link to the coupons if there are no bids', async () => {
    show(bidder);
    await screen.findByText('You have not bid on anything yet');
    expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
  });

  it('show an error on the page and in a toast, and load again on Retry', async () => {
    let isBroken = true;
    show(bidder, '/my-bids', (name) => (isBroken && name === 'bids.list' ? brokenAnswer() : undefined));
    await screen.findByRole('heading', { name: TEXTS.bids.loadFailed });
    screen.getByText(TEXTS.bids.loadFailedHint);
    await screen.findByText(TEXTS.bids.loadFailedTitle);
    screen.getByText(TEXTS.bids.loadFailedToast);
    isBroken = false;
    press('Retry');
    await screen.findByText('You have not bid on anything yet');
  });
});
