import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { createDeal } from '#tests/support/exchanges.ts';
import { type CompletedDeal, completeExchange, rate } from '#tests/support/ratings.ts';
import { press } from '#tests/support/web/acts.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { RateDeal } from './rate-deal.tsx';

const server = setUpApp();
let me: Actor;
let other: Actor;
let deal: CompletedDeal;

beforeEach(async () => {
  me = await createUser(server.ctx);
  other = await createUser(server.ctx);
  deal = await completeExchange(server.ctx, me, other);
});

const show = (intercept?: Intercept) =>
  renderWithServer(server, me, <RateDeal {...deal} />, intercept && { intercept });
const send = () => press('Send rating');

describe('a completed deal', () => {
  it('is rated with one of ten numbers and a comment, and shows until when the rating is hidden', async () => {
    show();
    await screen.findByRole('heading', { name: `Rate ${other.username}` });
    const scale = screen.getByRole('group', { name: `How was the deal with ${other.username}?` });
    expect(within(scale).getAllByRole('radio')).toHaveLength(10);
    fireEvent.click(within(scale).getByRole('radio', { name: '9 of 10' }));
    fireEvent.change(screen.getByRole('textbox', { name: 'In your words' }), { target: { value: 'Quick.' } });
    screen.getByText('6/1000');
    send();
    await screen.findByText('Thank you for rating');
    await screen.findByText('You gave 9 of 10');
    screen.getByText('Quick.');
    screen.getByText('It appears once you have both rated, or after 7 days.', { selector: 'section *' });
    expect(screen.queryByRole('button', { name: 'Send rating' })).toBeNull();
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Ratings of you and /),
    );
  });

  it('is not rated without a number', async () => {
    show();
    await screen.findByRole('heading', { name: `Rate ${other.username}` });
    send();
    await screen.findByText('Choose a rating from 1 to 10');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '1 of 10' }));
  });

  it('hides the other rating until both have rated [decisions 5.5.2]', async () => {
    await rate(server.ctx, other, deal, 2, 'Slow.');
    show();
    await screen.findByRole('heading', { name: `Rate ${other.username}` });
    expect(screen.queryByText('Slow.')).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: '10 of 10' }));
    send();
    await screen.findByText(`${other.username} gave you 2 of 10`);
    screen.getByText('Slow.');
    screen.getByText('You gave 10 of 10');
    expect(screen.queryByText(/It appears once/, { selector: 'section *' })).toBeNull();
  });

  it('shows the rating that was given in another window', async () => {
    show();
    await screen.findByRole('heading', { name: `Rate ${other.username}` });
    await rate(server.ctx, me, deal, 4);
    fireEvent.click(screen.getByRole('radio', { name: '7 of 10' }));
    send();
    await screen.findByText('Rating not sent');
    await screen.findByText('You gave 4 of 10');
  });
});

it('offers no rating of a deal that is not completed', async () => {
  const { id, requester } = await createDeal(server.ctx, 'accepted');
  const { container } = renderWithServer(
    server,
    requester,
    <div data-testid="frame">
      <RateDeal dealType="exchange" dealId={id} />
    </div>,
  );
  await waitFor(() => expect(within(container).getByTestId('frame').childElementCount).toBe(0));
});
