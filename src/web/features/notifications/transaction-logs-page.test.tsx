import { cleanup, configure, screen, within } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createBid } from '#server/testing/bids.ts';
import { TransactionLogsPage } from '#web/pages/transaction-logs.tsx';
import { renderWithServer } from '#web/testing/server.tsx';

let server: TestApp;

beforeAll(async () => {
  // Answers come from a real database: a busy computer makes them slow, not wrong.
  configure({ asyncUtilTimeout: 5_000 });
  server = await createTestApp();
});
afterAll(() => server.close());
afterEach(cleanup);

it('leads from a line about a bid to the bid, with the state that it is in now', async () => {
  const { id, bidder } = await createBid(server.ctx, 'accepted');
  renderWithServer(server, bidder, <TransactionLogsPage />);
  const links = await screen.findAllByRole('link', { name: 'See the bid' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/my-bids?bid=${id}`,
    `/my-bids?bid=${id}`,
  ]);
  for (const link of links) {
    expect(within(link.parentElement ?? link).getByText('Accepted')).toBeTruthy();
  }
});
