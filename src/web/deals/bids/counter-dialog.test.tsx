import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dialog, press } from '#tests/support/web/acts.ts';
import { setUpBids } from '#tests/support/web/bids.tsx';

const { bidder, owner, place, show, card, acts } = setUpBids();

it('is sent by the seller, and accepted by the bidder at that amount [decisions 3.13.9]', async () => {
  const { id } = await place('12.50');
  show(owner, '/my-bids?tab=received');
  press(/^Counter/, await card(id));
  const asking = await dialog('Make a counter-offer');
  const type = (amount: string) =>
    fireEvent.change(screen.getByLabelText(/^You ask \(CAD\)/), { target: { value: amount } });
  type('2');
  press('Send counter-offer', asking);
  await screen.findByText(/Minimum bid amount/);
  type('12');
  press('Send counter-offer', asking);
  await within(asking).findByText('Must be more than $12.50 CAD, which you can accept');
  type('20');
  press('Send counter-offer', asking);
  await screen.findByText('Counter-offer sent');
  cleanup();

  show(bidder, `/my-bids?bid=${id}`);
  await screen.findByText(/asks \$20\.00 CAD: accept, decline or name another amount/);
  expect(screen.getByRole('list', { name: 'Counter-offers' }).textContent).toMatch(
    new RegExp(`^\\$12\\.50 CAD → \\$20\\.00 CAD by ${owner.username}`),
  );
  expect(screen.getByText(`${owner.username} asks`).nextSibling?.textContent).toBe('$20.00 CAD');
  expect(screen.getAllByText('You would pay').at(-1)?.nextSibling?.textContent).toBe('$21.00 CAD');
  const item = await card(id);
  expect(acts(item)).toEqual(['Accept', 'Decline', 'Counter', 'Messages', 'Details']);
  press(/^Accept/, item);
  const answering = await dialog('Accept this counter-offer?');
  expect(answering.textContent).toContain('You will pay $21.00 CAD with the fee');
  press('Accept', answering);
  await screen.findByText('Bid accepted successfully');
});
