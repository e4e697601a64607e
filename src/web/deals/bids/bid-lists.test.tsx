import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { createUser } from '#tests/support/builders.ts';
import { address, dialog, press } from '#tests/support/web/acts.ts';
import { setUpBids } from '#tests/support/web/bids.tsx';
import { brokenAnswer, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';

const { server, bidder, owner, coupon, place, move, show, card } = setUpBids();

describe('received bids', () => {
  it('are grouped by coupon, with the highest first and marked [spec/2 2.8]', async () => {
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
    await within(detail).findByText(/Accept or reject the bid/);
    for (const text of ['$12.50 CAD', '−$0.63 CAD', '$11.87 CAD']) within(detail).getByText(text);
    const steps = within(within(detail).getByRole('list', { name: 'Progress of this deal' }));
    expect(
      steps.getAllByRole('listitem').map(({ textContent }) => textContent?.match(/^[A-Z][a-z]+/)?.[0]),
    ).toEqual(['Proposed', 'Accepted', 'Paid', 'Final']);
    press('Close', detail);
    await waitFor(() => expect(address()).toBe('/my-bids?show=open'));
  });
});

describe('the lists', () => {
  it('are kept in the address, as is the filter [spec/2 2.8]', async () => {
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
    await screen.findByText('No one has bid on your coupons yet');
    expect(address()).toBe('/my-bids?tab=received');
    expect(screen.getByRole('link', { name: 'Add a Coupon' })).toBeTruthy();
  });

  it('are refetched at every visit, even within sixty seconds [spec/2 9.4]', async () => {
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

  it('show an error on the page and in a toast, and load again on Retry [spec/2 2.9 7.16 8.4]', async () => {
    let isBroken = true;
    show(bidder, '/my-bids', (name) => (isBroken && name === 'bids.list' ? brokenAnswer() : undefined));
    await screen.findByRole('heading', { name: TEXTS.bids.loadFailed() });
    screen.getByText(TEXTS.bids.fetchFailed());
    screen.getByText(TEXTS.bids.loadFailedHint());
    await screen.findByText(TEXTS.bids.loadFailedTitle());
    screen.getByText(TEXTS.bids.loadFailedToast());
    isBroken = false;
    press('Retry');
    await screen.findByText('You have not bid on anything yet');
  });
});
