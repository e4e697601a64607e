import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeAll, expect, it, vi } from 'vitest';
import { FIRST_ANSWERS_ID, type FirstAnswer, firstQueries } from '#contract/base/first-answers.ts';
import { findWebPage } from '#contract/base/pages.ts';
import { CODE_MASK, withCodesMasked } from '#contract/coupons/limits.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as Coupon } from '#web/pages/coupon.tsx';
import { Component as Discover } from '#web/pages/discover.tsx';
import { Component as Home } from '#web/pages/home.tsx';
import { Component as Leaderboard } from '#web/pages/leaderboard.tsx';
import { Component as MyCoupons } from '#web/pages/my-coupons.tsx';
import { Component as User } from '#web/pages/user.tsx';
import { takeFirstAnswers } from './first-answers.ts';
import { createQueryClient } from './query-client.ts';

const server = setUpApp();
let mia: Actor;
let owner: Actor;
let id: number;

beforeAll(async () => {
  mia = await createUser(server.ctx, { username: 'mia' });
  owner = await createUser(server.ctx, { username: 'olive' });
  id = (await createCoupon(server.ctx, owner, { title: 'Bread for two', category: 'food' })).id;
});

/** Puts the answers of a page's first queries into the document, as the server does. */
async function answerFirst(address: string, who = mia): Promise<string[]> {
  const { pathname, searchParams } = new URL(address, 'http://here');
  const found = findWebPage(pathname);
  const queries = found ? firstQueries(found.page, found.parameter, searchParams) : [];
  const answers = await Promise.all(
    queries.map(async ({ path, input }): Promise<FirstAnswer> => {
      const { body } = await server.trpc(who, 'query', path, input);
      const { data } = JSON.parse(body).result;
      return input === undefined ? [path, data] : [path, data, input];
    }),
  );
  const element = document.createElement('script');
  element.id = FIRST_ANSWERS_ID;
  element.type = 'application/json';
  element.textContent = JSON.stringify(answers, withCodesMasked);
  document.body.append(element);
  return queries.map(({ path }) => path);
}

const pages = (
  <Routes>
    <Route path="/" element={<Home />} />
    <Route path="/coupons/:id" element={<Coupon />} />
    <Route path="/users/:id" element={<User />} />
    <Route path="/my-coupons" element={<MyCoupons />} />
    <Route path="/leaderboard" element={<Leaderboard />} />
    <Route path="/discover" element={<Discover />} />
  </Routes>
);

it.each([
  ['/', 6],
  ['/?q=bread&category=food&min=abc&page=0&sort=oldest&expires=30', 6],
  ['/?min=9.50&max=1000&merchant=Bakery', 6],
  ['/my-coupons', 3],
  ['/my-coupons?tab=saved&page=1', 3],
  ['/coupons/ID', 9],
  ['/users/OWNER?page=1', 2],
  ['/leaderboard?tab=bids', 1],
  ['/discover?q=a&merchant=b', 1],
])('%s asks for nothing that came with it', async (pattern, count) => {
  const address = pattern.replace('ID', String(id)).replace('OWNER', String(owner.id));
  const answered = await answerFirst(address);
  expect(answered).toHaveLength(count);
  const asked: string[] = [];
  renderWithServer(server, mia, pages, {
    address,
    intercept: (procedure) => {
      asked.push(procedure);
      return undefined;
    },
  });
  // A query starts when its component is first shown.
  await screen.findAllByRole('heading');
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked.filter((path) => answered.includes(path))).toEqual([]);
});

it('own coupons that came with the page are on screen before the first call, which is for their codes', async () => {
  await answerFirst('/my-coupons', owner);
  const asked: string[] = [];
  renderWithServer(server, owner, pages, {
    address: '/my-coupons',
    intercept: (procedure) => {
      asked.push(procedure);
      return undefined;
    },
  });
  const ticket = within(screen.getByRole('article', { name: 'Bread for two' }));
  ticket.getByText(CODE_MASK);
  await ticket.findByText(/^TESTCODE/);
  expect(asked[0]).toBe('coupons.mine');
});

it('what came with the page keeps its age although it is asked for again, so that it can be shown without the network', async () => {
  await answerFirst('/my-coupons', owner);
  const client = createQueryClient();
  takeFirstAnswers(client);
  const [mine] = client.getQueryCache().findAll({ queryKey: [['coupons', 'mine']] });
  expect(mine?.state).toMatchObject({ isInvalidated: true, dataUpdatedAt: expect.closeTo(Date.now(), -5) });
});

it.each([
  [0, false],
  [5_000, true],
])(
  'of a page of which %i bytes came over the network the answers are used: %s',
  async (transferSize, isUsed) => {
    await answerFirst('/');
    const entry = { transferSize, responseStart: performance.now() } as PerformanceNavigationTiming;
    const entries = vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry]);
    const client = createQueryClient();
    takeFirstAnswers(client);
    entries.mockRestore();
    expect(client.getQueryCache().getAll()).toHaveLength(isUsed ? 6 : 0);
    expect(document.getElementById(FIRST_ANSWERS_ID)).toBeNull();
  },
);
