import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dialog, press } from '#tests/support/web/acts.ts';
import { setUpDashboard } from '#tests/support/web/admin.tsx';

const dashboard = setUpDashboard();

const fees = async () => within(await screen.findByRole('region', { name: 'Fees' }));

it('changes the fees, says what will happen first, and undoes it from the history', async () => {
  dashboard.show('/admin?tab=settings');
  expect((await fees()).getByText('5% from each party')).toBeTruthy();
  expect((await fees()).getByText('The default.')).toBeTruthy();

  press('Change Fees');
  const form = within(await dialog('Change the fees'));
  fireEvent.change(form.getByLabelText(/^Buyer pays \*/), { target: { value: '60' } });
  press('Change the fees');
  expect(await form.findByText('Enter a percentage from 0 to 50%, such as 4.5')).toBeTruthy();
  fireEvent.change(form.getByLabelText(/^Buyer pays \*/), { target: { value: '4.5' } });
  expect(form.getByRole('status').textContent).toContain(
    'For a bid of $20.00 CAD, the buyer pays $20.90 CAD and the seller receives $19.00 CAD.',
  );
  press('Change the fees');
  expect(await screen.findByText('Fees changed')).toBeTruthy();
  await (await fees()).findByText('4.5% from the buyer and 5% from the seller');
  expect((await fees()).getByText(/^Changed by person-\d+, /)).toBeTruthy();

  press('History of Fees');
  const history = await dialog('History: Fees');
  press('Undo', await within(history).findByRole('list', { name: 'Changes' }));
  press('Undo', await dialog('Undo this change'));
  expect(await screen.findByText('Change undone')).toBeTruthy();
  await waitFor(() => expect(within(history).getAllByRole('listitem')).toHaveLength(2));
  await (await fees()).findByText('5% from each party');
});

it('publishes an announcement, and takes it down', async () => {
  dashboard.show('/admin?tab=settings');
  const card = async () => within(await screen.findByRole('region', { name: 'Announcement' }));
  expect((await card()).queryByRole('button', { name: /Take down/ })).toBeNull();
  press('Change Announcement');
  const form = within(await dialog('Announcement'));
  press('Publish');
  expect(await form.findByText('Write a text in English')).toBeTruthy();
  fireEvent.click(form.getByRole('radio', { name: 'A problem' }));
  fireEvent.change(form.getByLabelText(/^Text in English/), { target: { value: 'Payments are slow.' } });
  fireEvent.change(form.getByLabelText(/^Text in French/), {
    target: { value: 'Les paiements traînent.' },
  });
  press('Publish');
  expect(await screen.findByText('Announcement published')).toBeTruthy();
  await (await card()).findByText('Problem: Payments are slow.');
  expect(dashboard.server.deps.settings.current().announcement).toMatchObject({
    kind: 'problem',
    text: { en: 'Payments are slow.', fr: 'Les paiements traînent.' },
    until: null,
  });
  press('Take down Announcement');
  press('Take down', await dialog('Announcement: Take down'));
  await (await card()).findByText('None');
});

it('switches maintenance on with an expected end, and off', async () => {
  dashboard.show('/admin?tab=settings');
  const card = async () => within(await screen.findByRole('region', { name: 'Maintenance' }));
  press('Change Maintenance', await screen.findByRole('region', { name: 'Maintenance' }));
  const form = within(await dialog('Maintenance'));
  fireEvent.change(form.getByLabelText(/^Text in English/), { target: { value: 'We move.' } });
  fireEvent.change(form.getByLabelText(/^Expected end/), { target: { value: '2001-01-01T10:00' } });
  press('Switch maintenance on');
  expect(await form.findByText('Choose a time in the future')).toBeTruthy();
  fireEvent.change(form.getByLabelText(/^Expected end/), { target: { value: '2099-01-01T10:00' } });
  press('Switch maintenance on');
  expect(await screen.findByText('Maintenance is on')).toBeTruthy();
  await (await card()).findByText(/^On: We move\. \(until /);
  press('Switch off Maintenance');
  press('Switch off', await dialog('Maintenance: Switch off'));
  await (await card()).findByText('Off');
});

it('changes the guarantee, the rings and the limits', async () => {
  dashboard.show('/admin?tab=settings');
  const current = () => dashboard.server.deps.settings.current();
  press('Change Guarantee', await screen.findByRole('region', { name: 'Guarantee' }));
  const guarantee = within(await dialog('Guarantee'));
  fireEvent.change(guarantee.getByLabelText(/^How long buyers/), { target: { value: '100' } });
  fireEvent.change(guarantee.getByLabelText(/^Share of fees/), { target: { value: '35' } });
  press('Change the guarantee');
  await screen.findByText('100 days after the 72 hours, with 35% of the fees for the reserve');
  expect(current().guarantee).toEqual({ days: 100, reservePercent: 35 });

  press('Change Rings');
  const rings = within(await dialog('Rings'));
  fireEvent.change(rings.getByLabelText(/^Most people/), { target: { value: '2' } });
  press('Change the rings');
  await screen.findByText('Swaps between two people only');
  expect(current().ringPeopleMax).toBe(2);

  press('Change Claims');
  const claims = within(await dialog('Claims'));
  fireEvent.change(claims.getByLabelText(/^Time to decide/), { target: { value: '7' } });
  press('Change the time');
  await screen.findByText('Decided within 7 days');
  expect(current().claimDays).toBe(7);

  press('Change Limits');
  const limits = within(await dialog('Limits'));
  fireEvent.change(limits.getByLabelText(/^Bids per person/), { target: { value: '4' } });
  press('Change the limits');
  expect(await limits.findByText('Enter a whole number from 5 to 1000')).toBeTruthy();
  fireEvent.change(limits.getByLabelText(/^Bids per person/), { target: { value: '7' } });
  press('Change the limits');
  await screen.findByText(/^7 bids and 60 proposals an hour/);
  expect(current().limits.bids).toBe(7);
});

it('shows what the environment decides, and offers no change of it', async () => {
  const locked = { environment: ['SELLER_FEE_PERCENT'], folder: [] };
  const { start } = dashboard.server.deps.settings;
  Object.assign(start, { setIn: locked });
  dashboard.show('/admin?tab=settings');
  expect((await fees()).getByText(/^SELLER_FEE_PERCENT in the server’s environment/)).toBeTruthy();
  expect((await fees()).queryByRole('button', { name: 'Change Fees' })).toBeNull();
});
