import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createBid } from '#tests/support/bids.ts';
import { createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { brokenAnswer, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as TransactionLogsPage } from '#web/pages/transaction-logs.tsx';
import { logDate } from './transaction-logs-list.tsx';

const server = setUpApp();

it('links a line about a bid to the bid, with its current state [spec/2 2.13]', async () => {
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

it('opens on the deals; sign-ins are a filter [decisions 6.0.9]', async () => {
  const { bidder } = await createBid(server.ctx);
  const line = { userId: bidder.id, action: 'login', details: 'You signed in with Firefox.' };
  await server.ctx.db
    .insertInto('transactionLogs')
    .values({ ...line, createdAt: new Date() })
    .execute();
  renderWithServer(server, bidder, <TransactionLogsPage />);
  await screen.findByRole('link', { name: 'See the bid' });
  expect(screen.queryByText(line.details)).toBeNull();
  fireEvent.click(screen.getByLabelText('Sign-ins and profile'));
  await screen.findByText(line.details);
  expect(screen.queryByRole('link', { name: 'See the bid' })).toBeNull();
  fireEvent.click(screen.getByLabelText('All'));
  await screen.findByRole('link', { name: 'See the bid' });
  screen.getByText(line.details);
});

it("shows 'Error loading transaction logs' with the message, and loads again on Retry [spec/2 2.28 2.29 8.11]", async () => {
  const { bidder } = await createBid(server.ctx);
  let isBroken = true;
  renderWithServer(server, bidder, <TransactionLogsPage />, {
    intercept: (procedure) =>
      isBroken && procedure === 'notifications.transactionLogs' ? brokenAnswer() : undefined,
  });
  expect(document.querySelector('[aria-busy="true"]')).not.toBeNull();
  await screen.findByRole('heading', { name: 'Error loading transaction logs' });
  screen.getByText('500: Something went wrong on our side.');
  isBroken = false;
  press('Retry');
  await screen.findByRole('link', { name: 'See the bid' });
});

it("shows a newcomer 'No transaction logs found' and 'Start exchanging coupons to see your transaction history' [spec/2 2.30]", async () => {
  const newcomer = await createUser(server.ctx);
  await server.ctx.db.deleteFrom('transactionLogs').where('userId', '=', newcomer.id).execute();
  renderWithServer(server, newcomer, <TransactionLogsPage />);
  await screen.findByRole('heading', { name: 'No transaction logs found' });
  screen.getByText('Start exchanging coupons to see your transaction history');
});

it("shows 'There was an error loading your transaction history' if the server gives no text [spec/2 8.12]", async () => {
  const { bidder } = await createBid(server.ctx);
  const wire = { error: '', code: 'internal' };
  const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, wire };
  renderWithServer(server, bidder, <TransactionLogsPage />, {
    intercept: (procedure) =>
      procedure === 'notifications.transactionLogs'
        ? Response.json({ error: { message: '', code: -32_603, data } }, { status: 500 })
        : undefined,
  });
  await screen.findByText('There was an error loading your transaction history');
});

/** spec/2 section 2. */
it.each([
  [null, 'Date not available'],
  ['', 'Date not available'],
  ['yesterday or so', 'Invalid date'],
  ['2026-11-21T09:41:00Z', expect.stringMatching(/^Nov 2\d, 2026, \d+:41\s[AP]M$/)],
])('%s is shown as %s', (instant, text) => {
  expect(logDate(instant)).toEqual(text);
});
