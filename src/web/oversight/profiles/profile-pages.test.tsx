import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SessionUser } from '#contract/people/accounts.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { completeExchange, rate } from '#tests/support/ratings.ts';
import { address } from '#tests/support/web/acts.ts';
import { somebody } from '#tests/support/web/render.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as ProfilePage } from '#web/pages/profile.tsx';
import { Component as UserPage } from '#web/pages/user.tsx';

const server = setUpApp();
let me: Actor;
let other: Actor;

beforeAll(async () => {
  me = await createUser(server.ctx, { username: 'mia', bio: 'I collect bread coupons.', country: 'CL' });
  other = await createUser(server.ctx, { username: 'tom' });
  const deal = await completeExchange(server.ctx, me, other, { offered: 500, requested: 2_000 });
  await rate(server.ctx, me, deal, 6);
  await rate(server.ctx, other, deal, 9, 'Quick and kind.');
  await createCoupon(server.ctx, me, { isVerified: true });
});

interface Given {
  readonly address?: string;
  readonly intercept?: Intercept;
  readonly as?: Partial<SessionUser>;
}

function showOwn({ address = '/profile', intercept, as = {} }: Given = {}) {
  const user = somebody({ id: me.id, username: 'mia', country: 'CL', ...as });
  return renderWithServer(
    server,
    me,
    <ViewerProvider viewer={{ user, isLoading: false }}>
      <ProfilePage />
    </ViewerProvider>,
    { address, ...(intercept && { intercept }) },
  );
}

function showUser(id: number | string, who = me) {
  const page = (
    <Routes>
      <Route path="/users/:id" element={<UserPage />} />
    </Routes>
  );
  return renderWithServer(server, who, page, { address: `/users/${id}` });
}

const tile = (name: string) => screen.getByText(name, { selector: 'dt' }).nextSibling?.textContent;

describe('the profile', () => {
  it('shows name, e-mail, member since, country and preferred currency [spec/3 2.56]', async () => {
    showOwn();
    await screen.findByRole('heading', { level: 1, name: 'mia' });
    screen.getByText('mia@example.org');
    screen.getByText('Verified');
    screen.getByText(/^Member since (Jan 1, 2026|Dec 31, 2025)$/);
    screen.getByText('Chile');
    screen.getByText('Prices in CAD');
    expect(screen.getByRole('link', { name: 'Edit Profile' }).getAttribute('href')).toBe(
      '/profile-settings#profile',
    );
    await screen.findByText('tom');
  });

  it('shows reputation, exchanges, coupons, bids and the savings in the preferred currency [spec/3 2.47]', async () => {
    showOwn({ as: { preferredCurrency: 'USD' } });
    await screen.findByText('Savings generated');
    await screen.findByText('$11.03 USD');
    // 20 for the exchange, 10 for the coupon, (5 × 7 + 9) / 6 × 10 for the rating.
    expect(tile('Reputation')).toBe('103.3 pts');
    expect(tile('Exchanges')).toBe('1');
    expect(tile('Bids')).toBe('0');
    screen.getByRole('heading', { name: 'Reputation: 103.3 pts' });
    screen.getByText('20 for each completed exchange');
  });

  it('shows zeros and a Retry button if its numbers cannot be loaded [spec/3 2.49]', async () => {
    showOwn({ intercept: (procedure) => (procedure === 'profiles.stats' ? brokenAnswer() : undefined) });
    await screen.findByText(/We could not load your numbers/);
    expect(tile('Reputation')).toBe('0 pts');
    expect(tile('Coupons')).toBe('0');
    expect(tile('Savings generated')).toBe('$0.00 CAD');
    screen.getByRole('button', { name: 'Retry' });
  });

  it('shows the latest ratings with their comments', async () => {
    showOwn();
    const list = await screen.findByRole('list', { name: 'Latest ratings' });
    within(list).getByText('9 of 10');
    within(list).getByText('Quick and kind.');
    expect(within(list).getByRole('link', { name: 'tom' }).getAttribute('href')).toBe(`/users/${other.id}`);
  });

  it('has the tabs Overview, Activity with the person’s history, and My Coupons with a link to them [spec/3 2.48 2.57]', async () => {
    showOwn();
    expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual([
      'Overview',
      'Activity',
      'My Coupons',
    ]);
    fireEvent.click(screen.getByRole('tab', { name: 'Activity' }));
    await screen.findAllByRole('link', { name: 'See the exchange' });
    expect(address()).toBe('/profile?tab=activity');
    fireEvent.click(screen.getByRole('tab', { name: 'My Coupons' }));
    const link = screen.getByRole('link', { name: 'Go to My Coupons' });
    expect(link.getAttribute('href')).toBe('/my-coupons');
  });
});

describe('the public page of a person', () => {
  it('shows name, bio, country, ratings and reputation, and never the e-mail address [decisions 5.5.3]', async () => {
    showUser(me.id, other);
    await screen.findByRole('heading', { level: 1, name: 'mia' });
    screen.getByText('I collect bread coupons.');
    screen.getByText('Chile');
    screen.getByText('9.0 of 10 from 1 person');
    screen.getByRole('heading', { name: /^Reputation: / });
    within(await screen.findByRole('list', { name: 'Ratings of mia' })).getByText('Quick and kind.');
    expect(document.body.textContent).not.toContain('mia@example.org');
    screen.getByRole('button', { name: 'Report mia' });
  });

  it('shows the viewer an edit link instead of the report button', async () => {
    showUser(me.id);
    await screen.findByRole('heading', { level: 1, name: 'mia' });
    screen.getByRole('link', { name: 'Edit Profile' });
    expect(screen.queryByRole('button', { name: 'Report mia' })).toBeNull();
    await screen.findByRole('list', { name: 'Ratings of mia' });
  });

  it.each([['2147483647'], ['mia'], ['0']])("shows 'Profile not found' at /users/%s", async (id) => {
    showUser(id);
    await screen.findByRole('heading', { level: 1, name: 'Profile not found' });
    expect(screen.getByRole('link', { name: 'See the leaderboard' }).getAttribute('href')).toBe(
      '/leaderboard',
    );
  });
});
