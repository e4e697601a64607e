import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { paySale } from '#tests/support/bids.ts';
import { createUser } from '#tests/support/builders.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { setUpBids } from '#tests/support/web/bids.tsx';
import { brokenAnswer } from '#tests/support/web/server.tsx';

const { server, bidder, owner, coupon, place, move, show, makeOwnerReady, card, acts } = setUpBids();

describe('the actions of a bid', () => {
  it.each([
    ['pending', 'bidder', ['Cancel Bid']],
    ['pending', 'owner', ['Accept', 'Reject', 'Counter']],
    ['accepted', 'bidder', ['Pay Now']],
    ['accepted', 'owner', []],
    ['rejected', 'bidder', []],
    ['rejected', 'owner', []],
    ['cancelled', 'owner', []],
    ['completed', 'bidder', ['Payment Completed']],
    ['completed', 'owner', []],
  ] as const)('that is %s are, for its %s, %j [spec/2 4.7]', async (status, side, expected) => {
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

  it('link to the checkout, and are disabled after the payment [spec/2 4.8]', async () => {
    await makeOwnerReady();
    const { id } = await place();
    await move(owner, id, 'accepted');
    show(bidder);
    const item = await card(id);
    expect(within(item).getByText('Pay within 48 hours.')).toBeTruthy();
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

  it('say what the seller has to do before it can be paid [spec/2 4.21]', async () => {
    const { id } = await place();
    await move(owner, id, 'accepted');
    show(bidder);
    const item = await card(id);
    within(item).getByText(`${owner.username} still has to set up a payment account`, { exact: false });
    expect(acts(item)).toEqual(['Pay Now', 'Messages', 'Details']);
    const pay = within(item).getByRole('link', { name: /^Pay Now/ });
    expect(pay.getAttribute('href')).toBe(`/checkout/${id}`);
    cleanup();
    show(owner, '/my-bids?tab=received');
    const link = within(await card(id)).getByRole('link', { name: 'Set up a payment account' });
    expect(link.getAttribute('href')).toBe('/seller-onboarding');
  });
});

describe('accepting', () => {
  it('asks for confirmation, names the consequences, and rejects the other bids [spec/2 4.12]', async () => {
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
    press('Accept bid', question);
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
    press('Accept bid', question);
    await screen.findByText('Bid accepted successfully');
  });
});

describe('rejecting and cancelling', () => {
  it.each([
    ['rejected', 'owner', /^Reject:/, 'Reject this bid?', 'Reject bid'],
    ['cancelled', 'bidder', /^Cancel Bid:/, 'Cancel your bid?', 'Cancel Bid'],
  ] as const)('a bid: %s [spec/2 2.24]', async (status, side, button, title, confirm) => {
    const { id } = await place();
    show(side === 'owner' ? owner : bidder, side === 'owner' ? '/my-bids?tab=received' : '/my-bids');
    press(button, await card(id));
    press(confirm, await dialog(title));
    await screen.findByText(TEXTS.bids.updated(status));
    expect(acts(await card(id))).toEqual(['Messages', 'Details']);
  });

  it('that fails can be tried again [spec/2 8.5]', async () => {
    const { id } = await place();
    let isBroken = true;
    show(bidder, '/my-bids', (name) => (isBroken && name === 'bids.setStatus' ? brokenAnswer() : undefined));
    press(/^Cancel Bid:/, await card(id));
    const question = await dialog('Cancel your bid?');
    press('Cancel Bid', question);
    await screen.findByText(TEXTS.bids.updateFailed());
    isBroken = false;
    press('Cancel Bid', question);
    await screen.findByText('Bid cancelled successfully');
  });
});
