import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { openDialog } from '#web/lib/open-dialog.ts';

const server = setUpApp();
let me: Actor;
let wanted: Coupon;

beforeEach(async () => {
  me = await createUser(server.ctx);
  const owner = await createUser(server.ctx);
  const { id } = await createCoupon(server.ctx, owner, { title: 'The wanted one' });
  const { body } = await server.trpc(me, 'query', 'coupons.byId', { id });
  wanted = JSON.parse(body).result.data;
});

async function show(intercept?: Intercept): Promise<HTMLElement> {
  renderWithServer(server, me, null, { intercept });
  act(() => void openDialog('proposeExchange', { coupon: wanted }));
  return screen.findByRole('dialog', { name: 'Propose Exchange' });
}

const mine = (title: string, columns = {}) => createCoupon(server.ctx, me, { title, ...columns });
const choose = async (name: RegExp) => fireEvent.click(await screen.findByRole('checkbox', { name }));
const type = (value: string) => fireEvent.change(screen.getByLabelText('Message'), { target: { value } });
const send = () => press('Send exchange request');

/** The viewer's own coupons in the form. */
const choices = (place: HTMLElement = document.body) =>
  within(within(place).getByRole('group', { name: 'Your coupons to offer' })).getAllByRole('checkbox');

async function myRequests() {
  const { body } = await server.trpc(me, 'query', 'exchanges.list', { tab: 'requested' });
  return JSON.parse(body).result.data.items;
}

describe('a proposal', () => {
  it('is sent with the chosen coupon and the message, and leads to the exchanges [spec/2 5.11]', async () => {
    const coupon = await mine('My best');
    await show();
    await choose(/My best/);
    type('  Please?  ');
    send();
    await screen.findByText('Exchange request sent');
    expect(await myRequests()).toMatchObject([
      { requestedCoupon: { id: wanted.id }, offeredCoupon: { id: coupon.id }, message: 'Please?' },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('link', { name: 'See your exchanges' }));
    expect(address()).toBe('/exchanges');
  });

  it('is offered again as it was written after a reload, until it is sent [decisions 6.0.3]', async () => {
    await mine('My best');
    const chosen = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /My best/ });
    const message = () => screen.getByLabelText<HTMLTextAreaElement>('Message').value;
    await show();
    await choose(/My best/);
    type('Please?');
    cleanup();
    await show();
    expect((await chosen()).checked).toBe(true);
    expect(message()).toBe('Please?');
    send();
    await screen.findByText('Exchange request sent');
    cleanup();
    await show();
    expect((await chosen()).checked).toBe(false);
    expect(message()).toBe('');
  });

  it('can ask for several coupons and offer several, with the worth of both sides', async () => {
    const [one, two] = [await mine('My best', { value: 500 }), await mine('My next', { value: 700 })];
    const other = await createCoupon(server.ctx, { id: wanted.ownerId }, { title: 'Another of theirs' });
    await show();
    await choose(/My best/);
    await choose(/My next/);
    press(/^Ask for more of/);
    await choose(/Another of theirs/);
    expect(screen.getByText(/^You give/).textContent).toBe(
      'You give “My best” and “My next” ($12.00 CAD off). You get “The wanted one” and “Another of theirs” ($20.00 CAD off).',
    );
    send();
    await screen.findByText('Exchange request sent');
    const [request] = await myRequests();
    expect(request.legs.map(({ coupon }: { coupon: { id: number } }) => coupon.id)).toEqual([
      wanted.id,
      other.id,
      one.id,
      two.id,
    ]);
  });

  it('requires a coupon [spec/2 5.1]', async () => {
    await mine('My best');
    await show();
    await screen.findByRole('checkbox', { name: /My best/ });
    send();
    expect(screen.getByText(TEXTS.exchanges.chooseCoupon())).toBeTruthy();
    expect(await myRequests()).toEqual([]);
  });

  it('for the second time links to the first one [spec/2 8.2]', async () => {
    const coupon = await mine('My best');
    await server.trpc(me, 'mutation', 'exchanges.propose', {
      requestedCouponId: wanted.id,
      offeredCouponId: coupon.id,
    });
    await show();
    await choose(/My best/);
    type('Once more');
    send();
    const toast = (await screen.findByText(TEXTS.exchanges.alreadyExists())).closest('[role="status"]');
    expect(toast).not.toBeNull();
    fireEvent.click(screen.getByRole('link', { name: 'See your requests' }));
    expect(address()).toBe('/exchanges?tab=requested');
  });

  it('that fails keeps the choice and the text [spec/2 8.3]', async () => {
    await mine('My best');
    const theirs = wanted.id;
    await show();
    await choose(/My best/);
    type('My words');
    await server.ctx.db.updateTable('coupons').set({ isActive: false }).where('id', '=', theirs).execute();
    send();
    await screen.findByText(TEXTS.exchanges.proposeFailed());
    // In the toast and at the coupon.
    expect(screen.getAllByText('“The wanted one” is no longer available')).toHaveLength(2);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('My words');
    expect(screen.getByRole('checkbox', { name: /My best/, checked: true })).toBeTruthy();
  });
});

describe('the choice of a coupon', () => {
  it('leaves out coupons that cannot be swapped', async () => {
    await mine('Good');
    await mine('Public', { category: 'imported' });
    await mine('Old', { expiryDate: '2020-01-01' });
    const dialog = await show();
    await screen.findByRole('checkbox', { name: /Good/ });
    expect(choices(dialog)).toHaveLength(1);
  });

  it('says why it is empty', async () => {
    await mine('Public', { category: 'scraped' });
    await mine('Old', { expiryDate: '2020-01-01' });
    await show();
    await screen.findByText(TEXTS.exchanges.noCouponsToOffer());
    expect(screen.getByText(/^You have no coupon to offer now\. Expired coupons/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add a Coupon' }).getAttribute('href')).toBe('/my-coupons?add=1');
    expect(screen.queryByRole('button', { name: 'Send exchange request' })).toBeNull();
  });

  it('links to adding a coupon if there are none [spec/2 5.2]', async () => {
    await show();
    await screen.findByText(TEXTS.exchanges.noCouponsToOffer());
    expect(screen.queryByText(/^You have no coupon to offer/)).toBeNull();
  });

  it('can be searched and extended if there are many', async () => {
    for (let number = 1; number <= 30; number += 1) await mine(`Mine ${number}.`);
    await show();
    await screen.findByRole('checkbox', { name: /Mine 30\./ });
    expect(choices()).toHaveLength(24);
    press('Show more');
    await waitFor(() => expect(choices()).toHaveLength(30));
    fireEvent.change(screen.getByLabelText('Search your coupons'), { target: { value: 'Mine 17.' } });
    await waitFor(() => expect(choices()).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });
});
