import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { Actor } from '#server/context/context.ts';
import { refreshLeaderboard } from '#server/oversight/leaderboard/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { completeExchange, completeSaleOf, rate } from '#tests/support/ratings.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as LeaderboardPage } from '#web/pages/leaderboard.tsx';

const server = setUpApp();
let star: Actor;
let partner: Actor;
let last: Actor;

beforeAll(async () => {
  star = await createUser(server.ctx, { username: 'star' });
  partner = await createUser(server.ctx, { username: 'partner' });
  const deal = await completeExchange(server.ctx, star, partner);
  await completeSaleOf(server.ctx, star, await createUser(server.ctx));
  await rate(server.ctx, star, deal, 6);
  await rate(server.ctx, partner, deal, 10);
  for (let index = 0; index < PAGE_SIZES.leaderboard; index += 1) {
    last = await createUser(server.ctx);
    await createCoupon(server.ctx, last, { isVerified: true });
  }
  await refreshLeaderboard(server.ctx);
});

const show = (who = star, address = '/leaderboard', intercept?: Intercept) =>
  renderWithServer(server, who, <LeaderboardPage />, { address, ...(intercept && { intercept }) });
const board = (name: string) => screen.findByRole('list', { name: `Leaderboard: ${name}` });
const textOf = (element: HTMLElement | undefined) => element?.textContent ?? '';

describe('the leaderboard', () => {
  it('has the tabs Overall, Coupons, Exchanges, Bids and Ratings, each with its own address [spec/3 2.42]', async () => {
    show();
    await board('Overall');
    expect(screen.getAllByRole('tab').map(textOf)).toEqual([
      'Overall',
      'Coupons',
      'Exchanges',
      'Bids',
      'Ratings',
    ]);
    fireEvent.click(screen.getByRole('tab', { name: 'Ratings' }));
    await board('Ratings');
    expect(address()).toBe('/leaderboard?tab=ratings');
    cleanup();
    show(star, '/leaderboard?tab=bids');
    await board('Bids');
    expect(screen.getByRole('tab', { name: 'Bids' }).getAttribute('aria-selected')).toBe('true');
  });

  it('shows rank, name, score in pts, and stats with the average rating to one decimal [spec/3 2.43]', async () => {
    show(partner);
    const [first] = within(await board('Overall')).getAllByRole('listitem');
    // 20 for the exchange, 15 for the sale, (5 × 7 + 10) / 6 × 10 = 75 for the rating.
    expect(textOf(first)).toMatch(/Rank 1.*star.*110 pts/);
    expect(textOf(first)).toContain('Average rating10.0');
    expect(textOf(first)).toContain('Exchanges1');
    const link = within(first as HTMLElement).getByRole('link', { name: 'star' });
    expect(link.getAttribute('href')).toBe(`/users/${star.id}`);
  });

  it('shows the viewer’s own row below a page that does not contain it', async () => {
    show(last);
    await board('Overall');
    const heading = await screen.findByRole('heading', { name: 'Your place' });
    expect(textOf(heading.parentElement ?? undefined)).toMatch(
      new RegExp(`Rank 23.*${last.username}.*You.*10 pts`),
    );
  });

  it('shows the error of the specification, and loads again on Retry [spec/3 2.44]', async () => {
    let isBroken = true;
    show(star, '/leaderboard', () => (isBroken ? brokenAnswer() : undefined));
    await screen.findByText('Failed to load leaderboard data. Please try again later.');
    isBroken = false;
    press('Retry');
    await board('Overall');
  });

  it('shows how points are counted [decisions 5.6.1]', async () => {
    show();
    screen.getByRole('heading', { name: 'How points are counted' });
    screen.getByText(
      '20 points to both sides of a completed exchange. A coupon that you have owned before gives none.',
    );
    screen.getByText('15 points to both sides of a completed sale.');
    screen.getByText(/10 points for each listed coupon/);
    screen.getByText(/Each person you deal with counts once.* share a browser or an internet address/);
    await board('Overall');
  });
});
