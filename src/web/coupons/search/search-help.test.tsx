import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { address } from '#tests/support/web/acts.ts';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';

const server = setUpApp();

const show = (at: string, intercept?: Intercept) =>
  renderWithServer(server, null, <HomePage />, { address: at, intercept });
const offered = () =>
  [...document.querySelectorAll('datalist option')].map((option) => option.getAttribute('value'));

it('a search that finds nothing is offered in words that find something, and as a category', async () => {
  await createCoupon(server.ctx, await createUser(server.ctx), { title: 'Museum pass', category: 'travel' });
  show('/?q=musem');
  fireEvent.click(await screen.findByRole('button', { name: 'Did you mean “museum”?' }));
  await screen.findByRole('article', { name: 'Museum pass' });
  expect(address()).toBe('/?q=museum');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'flights' } });
  fireEvent.click(await screen.findByRole('button', { name: 'Show all in Travel' }));
  await waitFor(() => expect(address()).toBe('/?category=travel'));
});

it('the search field offers merchants, and what was searched in this tab', async () => {
  await createCoupon(server.ctx, await createUser(server.ctx), { merchant: 'Quilt & Co' });
  show('/?q=qui');
  const field = screen.getByLabelText('Search coupons');
  fireEvent.focus(field);
  await waitFor(() => expect(offered()).toEqual(['Quilt & Co']));
  fireEvent.change(field, { target: { value: '' } });
  await waitFor(() => expect(offered()).toEqual(['qui']));
});

it('what the list does not count to its end is counted on, up to a thousand', async () => {
  const list = {
    items: [],
    total: 200,
    totalIsCapped: true,
    nextCursor: null,
    previousCursor: null,
  };
  const answer = (data: unknown) => Response.json({ result: { data } });
  show('/', (procedure) => {
    if (procedure === 'coupons.list') return answer(list);
    return procedure === 'search.count' ? answer({ total: 1_000, totalIsCapped: true }) : undefined;
  });
  await screen.findByRole('heading', { name: 'More than 1,000 coupons' });
});
