import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { formatDay } from '#contract/base/locale.ts';
import { DEADLINE_DAYS } from '#contract/deals/deals.ts';
import type { Actor } from '#server/context/context.ts';
import { addDays, utcDay } from '#server/core/clock.ts';
import { expireDeals } from '#server/deals/lifecycle/expiry.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { propose, twoPeople } from '#tests/support/exchanges.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { AwaySettings, AwaySuggestion } from './absence.tsx';

const server = setUpApp();
let me: Actor;
beforeEach(async () => {
  me = await createUser(server.ctx);
});

const click = (name: string) => press(name);

it('says until when somebody is away, and that they are back', async () => {
  renderWithServer(server, me, <AwaySettings />);
  const day = await screen.findByLabelText(/Back on/);
  click('I am away');
  expect(await screen.findByText('Choose the day you come back')).toBeDefined();
  fireEvent.change(day, { target: { value: '2020-01-01' } });
  click('I am away');
  // At the field: a toast says the same.
  await screen.findByText('Choose a day within the next 60 days', {
    selector: '.mantine-InputWrapper-error',
  });
  const until = utcDay(addDays(server.ctx.clock(), 9));
  fireEvent.change(day, { target: { value: until } });
  click('I am away');
  expect(await screen.findByText(formatDay(until))).toBeDefined();
  click('I am back');
  expect(await screen.findByLabelText(/Back on/)).toBeDefined();
});

it('asks somebody who has left two proposals without an answer', async () => {
  const { owner, requester, ...coupons } = await twoPeople(server.ctx);
  const ignore = async () => {
    await propose(server.ctx, requester, coupons);
    server.ctx.clock.advanceDays(DEADLINE_DAYS.exchangePending);
    await expireDeals(server.ctx);
  };
  await ignore();
  await ignore();
  renderWithServer(server, owner, <AwaySuggestion />);
  const link = await screen.findByRole('link', { name: 'Set yourself as away' });
  await waitFor(() => expect(link.getAttribute('href')).toBe('/profile-settings#away'));
});
