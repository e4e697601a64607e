import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Actor } from '#server/context/context.ts';
import { couponById } from '#server/coupons/core/finding.ts';
import { buyCoupon } from '#server/deals/bids/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { bidOn, createReadySeller } from '#tests/support/bids.ts';
import { actingAs, createCoupon, createUser } from '#tests/support/builders.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { useDialogLink } from '#web/lib/dialog-link.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { Component as CouponPage } from '#web/pages/coupon.tsx';

const server = setUpApp();
let owner: Actor;
let buyer: Actor;
beforeEach(async () => {
  [owner, buyer] = [await createReadySeller(server.ctx), await createUser(server.ctx)];
});

const prices = { askingPrice: '20.00', priceFloor: '13.37' };

/** Opens an address of a coupon's page. */
const open = (who: Actor, address: string, intercept?: Intercept) =>
  renderWithServer(
    server,
    who,
    <Routes>
      <Route path="/coupons/:id" element={<CouponPage />} />
      <Route path="/checkout/:id" element="Pay here" />
      <Route path="/my-bids" element="The bids" />
    </Routes>,
    { address, ...(intercept && { intercept }) },
  );

/** Opens the dialog of a new coupon of the owner's. */
async function show(who: Actor, given: Parameters<typeof createCoupon>[2] = {}) {
  const coupon = await createCoupon(server.ctx, owner, { ...prices, ...given });
  open(who, `/coupons/${coupon.id}?buy=1`);
  return coupon;
}

const dialog = () => screen.findByRole('dialog', { name: 'Buy now' });
const press = async () => fireEvent.click(within(await dialog()).getByRole('button', { name: 'Buy now' }));
const bids = () => server.ctx.db.selectFrom('bids').selectAll().where('bidderId', '=', buyer.id).execute();

describe('Buy now', () => {
  it('shows the price with the fee, bids exactly that, and leads to the payment [decisions 3.13.2]', async () => {
    await show(buyer);
    const costs = within(await dialog()).getByLabelText('What you would pay');
    expect(costs.textContent).toContain('$21.00 CAD');
    await press();
    await screen.findByText('Pay here');
    expect(await bids()).toMatchObject([{ amount: '20.00', status: 'accepted', isAutomatic: true }]);
  });

  it('leads to the payment even if the page hears first that the coupon is reserved', async () => {
    const { id } = await createCoupon(server.ctx, owner, prices);
    const ctx = actingAs(server.ctx, buyer);
    const coupon = await couponById(ctx, id);
    let answer: (response: Response) => void = () => {};
    const answered = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    function Page() {
      const [isFree, setIsFree] = useState(true);
      useDialogLink('buy', () => isFree && openDialog('buy', { coupon }));
      return (
        <button type="button" onClick={() => setIsFree(false)}>
          Reserved
        </button>
      );
    }
    renderWithServer(
      server,
      buyer,
      <Routes>
        <Route path="/" element={<Page />} />
        <Route path="/checkout/:id" element="Pay here" />
      </Routes>,
      {
        address: '/?buy=1',
        intercept: (procedure) => (procedure === 'bids.buy' ? answered : undefined),
      },
    );
    await press();
    fireEvent.click(screen.getByText('Reserved'));
    const data = await buyCoupon(ctx, { couponId: id, expectedAmount: '20' });
    answer(Response.json({ result: { data } }));
    await screen.findByText('Pay here');
  });

  it('says the new price if it has changed meanwhile, and bids nothing', async () => {
    const { id } = await show(buyer);
    await dialog();
    await server.ctx.db.updateTable('coupons').set({ askingPrice: '25.00' }).where('id', '=', id).execute();
    await press();
    await screen.findByText(/The asking price of .* is now \$25\.00 CAD./);
    expect(await bids()).toEqual([]);
  });

  it('asks for the same word as a bid on a coupon without a code', async () => {
    await show(buyer, { code: null });
    await press();
    await screen.findByText(TEXTS.bids.confirmNoCode());
    fireEvent.click(
      screen.getByLabelText('I understand that I will not see a code, and I still want to buy'),
    );
    await press();
    await screen.findByText('Pay here');
  });

  it('is not there for the owner, who alone sees the lowest price', async () => {
    await show(owner);
    const mine = await screen.findByRole('region', { name: 'Your prices' });
    expect(mine.textContent).toContain('$13.37 CAD');
    expect(screen.queryByRole('button', { name: 'Buy now' })).toBeNull();
  });
});

it('a coupon’s page says what it costs, what others paid and what is known, and names what one can do', async () => {
  const { id } = await createCoupon(server.ctx, owner, prices);
  const feedback = { worked: 0, failed: 0, lastWorkedAt: null, own: null, mayGive: false };
  const known: Record<string, object> = {
    'bids.priceHint': { low: 55, high: 70, people: 5 },
    'coupons.feedback': { ...feedback, confirmedAt: new Date(Date.now() - 3 * 3_600_000).toISOString() },
  };
  open(buyer, `/coupons/${id}`, (procedure) =>
    known[procedure] ? Response.json({ result: { data: known[procedure] } }) : undefined,
  );
  const buy = within(await screen.findByRole('region', { name: 'Buy for $20.00 CAD' }));
  expect(buy.getByText(/^\$21\.00 CAD with fees\./)).toBeTruthy();
  expect(buy.getByText(/sold for 55 to 70% of their value/)).toBeTruthy();
  expect(buy.getByRole('button', { name: 'Bid' })).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'Owner' })).getByText('0 deals')).toBeTruthy();
  expect(screen.getByText('Confirmed by the merchant: 3 hours ago.')).toBeTruthy();
  const ways = screen.getAllByRole('region', { name: /^(Buy for|Exchange)/ });
  expect(ways.map((way) => way.getAttribute('aria-label'))).toEqual(['Buy for $20.00 CAD', 'Exchange']);
  fireEvent.click(screen.getByRole('button', { name: 'More actions' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items).toEqual(['Share', 'Validate', 'Report']);
});

it('a coupon’s page says what I did in place of its button: what I offered, and until when I pay what I bought', async () => {
  const coupon = await createCoupon(server.ctx, owner, { title: 'Lamp' });
  await bidOn(server.ctx, buyer, coupon, '9.00');
  const bought = await createCoupon(server.ctx, owner, { ...prices, title: 'Desk' });
  await buyCoupon(actingAs(server.ctx, buyer), { couponId: bought.id, expectedAmount: '20.00' });
  const { unmount } = open(buyer, `/coupons/${coupon.id}`);
  const panel = within(await screen.findByRole('region', { name: 'Bid' }));
  panel.getByText(/^You offered \$9\.00 CAD on /);
  expect(panel.queryByRole('button')).toBeNull();
  unmount();
  open(buyer, `/coupons/${bought.id}`);
  await screen.findByText(/^Yours: pay within /);
  expect(screen.getByRole('link', { name: 'Pay Now' }).getAttribute('href')).toMatch(/^\/checkout\//);
  expect(screen.queryByText('Reserved by another deal')).toBeNull();
});
